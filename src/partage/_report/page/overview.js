/* The table as a whole: rows and classes, what to look at first, the best columns, gaps. */
const tile = (title, value) => make("div", null, make("dt", null, title), make("dd", { text: value }));
const stackOf = (shares) => {
  const stack = make("div", { class: "stack", "aria-hidden": "true" });
  shares.forEach((share, j) => {
    const piece = make("i", { class: "f" + j });
    piece.style.flex = String(Math.max(share, 0.002));
    stack.append(piece);
  });
  return stack;
};
const legendOf = (shares) =>
  make("ul", { class: "legend" }, ...classes.map((name, j) => make("li", null, make("i", { class: "f" + j }), data(name), " ", make("b", { text: percent(shares[j]) }), j === REPORT.event ? " " : null, j === REPORT.event ? term("event", "event") : null)));
const remarkLine = (remark) => make("li", { class: remark.k.replace(" ", "-") }, remark.c ? (indexOf.has(remark.c) ? linkTo(remark.c) : data(remark.c, "strong")) : null, remark.c ? " " : null, remark.t);
const MOST_LISTED = 12;
const remarkBlock = (title, kinds) => {
  const found = REPORT.remarks.filter((remark) => kinds.includes(remark.k));
  if (!found.length) return null;
  const list = make("ul", { class: "remarks" }, ...found.slice(0, MOST_LISTED).map(remarkLine));
  if (found.length > MOST_LISTED) {
    const button = make("button", { type: "button", class: "small", text: `Show ${found.length - MOST_LISTED} more` });
    button.addEventListener("click", () => button.replaceWith(make("ul", { class: "remarks" }, ...found.slice(MOST_LISTED).map(remarkLine))));
    return make("section", null, make("h3", { text: title }), list, button);
  }
  return make("section", null, make("h3", { text: title }), list);
};
const bestColumns = () => {
  const found = columns.filter((column) => column.l > 0).slice(0, 6);
  if (!found.length) return make("p", { class: "verdict", text: "No column says anything about the target." });
  const small = (column) => make("a", { href: addressOf(column.n), class: "small-card" }, data(column.n, "name"), make("span", { class: "soft", text: "level " + fixed(column.l) + " · " + counted(column.np, "part") }), drawShape(column, 200, 54));
  return make("section", null, make("h3", { text: "The most informative columns" }), make("div", { class: "small-cards" }, ...found.map(small)),
    make("p", { class: "soft", text: measures[REPORT.measure].value ? "Each bar is a part, as wide as its share of the rows, as high as: " + measures[REPORT.measure].title(state.chosen) + ". The dotted line: all rows." : "Each bar is a part, as wide as its share of the rows; the colours are the classes." }));
};
const gapsBlock = () => {
  const found = columns.filter((column) => column.m > 0).sort((a, b) => b.m - a.m);
  if (!found.length) return make("section", null, make("h3", { text: "Missing values" }), make("p", { class: "soft", text: "No value is missing." }));
  const { value, show, title } = measures[REPORT.measure];
  const line = (column) => {
    const part = column.p.find((one) => one.t === "missing");
    const note = part && value ? show(value(part, state.chosen)) : "";
    return make("tr", null, make("th", { scope: "row" }, linkTo(column.n)), make("td", { class: "wide" }, make("i", { class: "meter", style: `--share:${column.m / REPORT.rows}` })), cellOf(percent(column.m / REPORT.rows)), value ? cellOf(note) : null);
  };
  const head = make("tr", null, headOf("Column", "", ""), make("th"), headOf("Missing", ""), value ? headOf(title(state.chosen), "") : null);
  const together = (REPORT.gaps || []).map((names) => make("li", null, ...names.flatMap((name, i) => [i ? ", " : "", linkTo(name)]), " are missing in the same rows"));
  return make("section", null, make("h3", { text: "Missing values" }),
    make("p", { class: "soft", text: `${counted(found.length, "column")} of ${columns.length} ${isOne(found.length) ? "has" : "have"} gaps; the ${REPORT.isNumber ? "mean" : "rate"} on the right is that of the rows without a value.` }),
    scrolling(make("table", { class: "parts gaps" }, make("thead", null, head), make("tbody", null, ...found.slice(0, MOST_LISTED).map(line)))),
    found.length > MOST_LISTED ? make("p", { class: "soft", text: `and ${found.length - MOST_LISTED} more; sort the list by Missing.` }) : null,
    together.length ? make("ul", { class: "remarks" }, ...together) : null);
};
const samplesBlock = () => {
  if (!samples.length) return null;
  const line = (name, rows, totals) => make("tr", null, make("th", { scope: "row" }, data(name)), cellOf(whole.format(rows)), ...(totals.length ? classes.map((_, j) => cellOf(percent(totals[j] / (sum(totals) || 1)))) : classes.map(() => cellOf("–"))));
  const head = make("tr", null, headOf("Sample", "", ""), headOf("Rows", ""), ...classes.map((name) => headOf(name, "")));
  return make("section", null, make("h3", { text: "Samples" }), scrolling(make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, line("fitted", REPORT.rows, prior), ...samples.map((one) => line(one.n, one.r, one.c))))));
};
const glossaryBlock = () => {
  const names = { part: "Part", level: "Level", event: "Event", woe: "WoE", iv: "IV", gini: "Gini", bits: "Bits", proof: "Proven optimum", psi: "PSI", garbage: "Garbage group" };
  return make("details", { class: "glossary" }, make("summary", { text: "How to read this page" }),
    make("p", null, "Each column was cut into the parts that matter for ", data(REPORT.target, "strong"), ": intervals of numbers, groups of values. How many parts there are and where they begin follows from the data; an uninformative column stays in one part."),
    make("dl", null, ...Object.entries(names).flatMap(([key, name]) => [make("dt", { text: name }), make("dd", { text: GLOSSARY[key] })])));
};
const makeOverview = () => {
  const useful = columns.filter((column) => column.l > 0).length;
  const prior_ = classes.length ? make("div", { class: "prior" }, make("dt", null, "Target: ", data(REPORT.target)), make("dd", null, stackOf(prior), legendOf(prior))) : null;
  return make("article", { class: "card open overview", "aria-labelledby": "overview-title", tabindex: -1 },
    make("h2", { id: "overview-title" }, "What predicts ", data(REPORT.target)),
    make("button", { type: "button", class: "to-list", text: "All columns ↓", onclick: () => byId("columns").scrollIntoView() }),
    make("dl", { class: "tiles" }, tile("Rows", whole.format(REPORT.rows)), tile("Columns", String(columns.length)), tile("Informative", String(useful)), prior_, ...(REPORT.isNumber ? numberTiles() : [])),
    remarkBlock("Look at these first", ["warning"]),
    bestColumns(), togetherBlock(), repeatsBlock(), remarkBlock("What moved", ["moved"]),
    remarkBlock("Converted", ["converted"]), remarkBlock("Left out", ["left out"]), remarkBlock("Notes", ["note"]),
    samplesBlock(), gapsBlock(), glossaryBlock());
};
