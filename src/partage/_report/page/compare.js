/* What moved between the fitted rows and others: the front of a comparison. */
const isComparison = REPORT.mode === "compare";
const movedTable = () => {
  const found = columns.filter((column) => column.s).sort((a, b) => b.x - a.x);
  const hasLevel = found.some((column) => column.s.some((on) => on.l !== undefined));
  const many = samples.length > 1;
  const lines = found.slice(0, 40).flatMap((column) => column.s.map((on, i) => [column, on, i])).filter(([column, on]) => !many || on.d > 0.1 || on.d === column.x);
  const word = (x) => (x > 0.25 ? "shifted" : x > 0.1 ? "moving" : "stable");
  const head = make("tr", null, headOf("Column", "", ""), many ? headOf("Sample", "", "") : null, headOf("PSI", "psi"), make("th"), ...(hasLevel ? [headOf("Level", "level"), headOf("Expected", "expected"), headOf("Fitted", "level")] : []));
  const body = lines.map(([column, on, i]) =>
    make("tr", null, make("th", { scope: "row" }, linkTo(column.n)), many ? make("td", null, data(samples[i].n)) : null,
      make("td", { class: "num " + driftClass(on.d), text: fixed(on.d) }), make("td", { class: driftClass(on.d), text: word(on.d) }),
      ...(hasLevel ? [cellOf(on.l === undefined ? "" : fixed(on.l)), cellOf(on.e === undefined ? "" : fixed(on.e)), cellOf(fixed(column.l))] : [])));
  return make("section", null, make("h3", { text: "Columns by drift" }), scrolling(make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, ...body))),
    found.length > 40 ? make("p", { class: "soft", text: `and ${found.length - 40} more in the list.` }) : null);
};
const makeComparison = () => {
  const shifted = columns.filter((column) => column.x > 0.25).length;
  const moving = columns.filter((column) => column.x > 0.1 && column.x <= 0.25).length;
  const others = sum(samples.map((sample) => sample.r));
  const nothing = make("p", { class: "verdict", text: "Nothing moved: no column has drifted, and no event rate is another." });
  return make("article", { class: "card open overview", "aria-labelledby": "overview-title", tabindex: -1 },
    make("h2", { id: "overview-title", text: "What moved" }),
    make("dl", { class: "tiles" }, tile("Rows fitted", whole.format(REPORT.rows)), tile("Rows compared", whole.format(others)), tile("Shifted", String(shifted)), tile("Moving", String(moving)), tile("Columns", String(columns.length))),
    remarkBlock("What moved", ["moved"]) || nothing, movedTable(), samplesBlock(), remarkBlock("Look at these", ["warning"]), remarkBlock("Notes", ["note", "left out", "converted"]), glossaryBlock());
};
