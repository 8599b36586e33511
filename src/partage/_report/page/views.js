/* Two columns together, where they were asked for: a grid of parts, a graph of rows. */
const makePair = (view, index) =>
  make("section", { class: "view card open", "aria-labelledby": "p" + index },
    make("h2", { id: "p" + index }, ...withBoth(view.n)), make("p", { class: "verdict", text: view.t }), cellsTable(view));
/** The plane of a graph: axes with names, rows and their edges, where parts meet, and their numbers. */
const drawGraph = (view) => {
  const [wide, high, left, foot, margin] = [760, 500, 84, 52, 12];
  const svg = draw("svg", { class: "drawing", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `Rows by ${view.n[0]} (across) and ${view.n[1]} (up), joined inside their parts; the table below describes the parts` });
  const [across, up] = [wide - left - margin, high - foot - margin];
  const place = ([x, y]) => [left + x * across, margin + (1 - y) * up];
  const line = (a, b) => `M${place(a).map((u) => u.toFixed(1)).join(" ")}L${place(b).map((u) => u.toFixed(1)).join(" ")}`;
  const path = (name, segments) => svg.append(draw("path", { class: name, d: segments.join("") }));
  svg.append(draw("rect", { class: "frame", x: left - 6, y: margin - 6, width: across + 12, height: up + 12, rx: 8 }));
  view.r.forEach(([low, end], i) => {
    for (const tick of ticks(low, end, i ? 5 : 7)) {
      const [x, y] = place(i ? [0, (tick - low) / (end - low || 1)] : [(tick - low) / (end - low || 1), 0]);
      svg.append(draw("text", i ? { x: x - 12, y: y + 4, "text-anchor": "end", class: "soft" } : { x, y: y + 24, "text-anchor": "middle", class: "soft" }, plain(tick)));
    }
  });
  svg.append(draw("text", { x: left + across / 2, y: high - 6, "text-anchor": "middle" }, view.n[0]),
    draw("text", { transform: `translate(20 ${margin + up / 2}) rotate(-90)`, "text-anchor": "middle" }, view.n[1]));
  path("edges", view.e.map(([a, b]) => line(view.p[a], view.p[b])));
  view.p.map(place).forEach(([x, y], i) => svg.append(draw("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3, class: "f" + view.l[i] })));
  path("outline", view.o.map(([a, b, c, d]) => line([a, b], [c, d])));
  if (view.a.length > 1)
    view.a.forEach((row, i) => {
      const [x, y] = place(view.p[row]);
      svg.append(draw("circle", { class: "mark", cx: x.toFixed(1), cy: y.toFixed(1), r: 11 }), draw("text", { class: "mark", x: x.toFixed(1), y: (y + 4).toFixed(1), "text-anchor": "middle" }, String(i + 1)));
    });
  return svg;
};
const makeGraph = (view, index) => {
  const head = make("tr", null, headOf("Part", "", ""), headOf("Best described by", "", ""), headOf("Rows", ""), ...classes.map((name) => headOf(name, "")));
  const lines = view.c.map((counts, i) =>
    make("tr", null, make("th", { scope: "row", text: String(i + 1) }), make("td", { class: "words", text: view.w[i] }), cellOf(count(sum(counts))), ...counts.map((n) => cellOf(count(n)))));
  return make("section", { class: "view card open", "aria-labelledby": "g" + index },
    make("h2", { id: "g" + index }, "The graph of ", linkTo(view.n[0]), " and ", linkTo(view.n[1])), make("p", { class: "verdict", text: view.t }), drawGraph(view),
    scrolling(make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, ...lines))), view.m ? make("p", { class: "soft", text: `and ${counted(view.m, "smaller part")}` }) : null);
};
const startViews = () => {
  const place = byId("views");
  place.append(...REPORT.pairs.map(makePair), ...REPORT.graphs.map(makeGraph));
};
