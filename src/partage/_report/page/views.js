/* Two columns together, where they were asked for: a grid of parts, a graph of rows. */
const makePair = (view, index) => {
  const shownClass = (counts) => (isTwo ? state.chosen : counts.indexOf(Math.max(...counts)));
  const cell = (counts) => {
    const total = sum(counts);
    if (!total) return make("td", null, make("small", { text: "–" }));
    const j = shownClass(counts);
    const share = counts[j] / total;
    const node = make("td", { class: "tinted" }, make("b", null, isTwo ? null : data(classes[j] + " "), percent(share)), make("small", { text: count(total) }));
    node.style.setProperty("--tint", `var(--k${j})`);
    node.style.setProperty("--strength", Math.round(40 * share) + "%");
    return node;
  };
  const head = make("tr", null, make("td"), ...view.b.map((label) => make("th", { scope: "col" }, data(label))));
  const lines = view.a.map((label, i) => make("tr", null, make("th", { scope: "row" }, data(label)), ...view.c[i].map(cell)));
  const caption = make("caption", null, ...(isTwo ? ["Share of ", make("b", { class: "data", text: classes[state.chosen] })] : ["The most frequent class and its share"]), " in each combination, and its rows");
  return make("section", { class: "view card open", "aria-labelledby": "p" + index },
    make("h2", { id: "p" + index }, linkTo(view.n[0]), " with ", linkTo(view.n[1])), make("p", { class: "verdict", text: view.t }),
    scrolling(make("table", { class: "grid" }, caption, make("thead", null, head), make("tbody", null, ...lines))));
};
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
