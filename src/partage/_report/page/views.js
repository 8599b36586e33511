/* Two columns together, where they were asked for: a grid of parts, a graph of rows. */
const makePair = (view, index) =>
  make("section", { class: "view card open", "aria-labelledby": "p" + index },
    make("h2", { id: "p" + index }, ...withBoth(view.n)), make("p", { class: "verdict", text: view.t }), cellsTable(view));
const makeGraph = (view, index) => {
  const [wide, high, margin] = [760, 460, 14];
  const svg = draw("svg", { class: "drawing", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "Rows as points, joined inside their parts; the table below counts the parts" });
  const place = ([x, y]) => [margin + x * (wide - 2 * margin), high - margin - y * (high - 2 * margin)];
  const points = view.p.map(place);
  const edges = view.e.map(([a, b]) => `M${points[a][0].toFixed(1)} ${points[a][1].toFixed(1)}L${points[b][0].toFixed(1)} ${points[b][1].toFixed(1)}`).join("");
  svg.append(draw("rect", { class: "frame", x: 1, y: 1, width: wide - 2, height: high - 2, rx: 8 }), draw("path", { class: "edges", d: edges }));
  points.forEach(([x, y], i) => svg.append(draw("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3, class: "f" + view.l[i] })));
  const head = make("tr", null, headOf("Part", "", ""), headOf("Rows", ""), ...classes.map((name) => headOf(name, "")));
  const lines = view.c.map((counts, i) => make("tr", null, make("th", { scope: "row", text: String(i + 1) }), cellOf(count(sum(counts))), ...counts.map((n) => cellOf(count(n)))));
  return make("section", { class: "view card open", "aria-labelledby": "g" + index },
    make("h2", { id: "g" + index }, "The graph of ", linkTo(view.n[0]), " and ", linkTo(view.n[1])), make("p", { class: "verdict", text: view.t }), svg,
    scrolling(make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, ...lines))), view.m ? make("p", { class: "soft", text: `and ${counted(view.m, "smaller part")}` }) : null);
};
const startViews = () => {
  const place = byId("views");
  place.append(...REPORT.pairs.map(makePair), ...REPORT.graphs.map(makeGraph));
};
