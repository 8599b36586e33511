/* One column: what it is worth, its parts, why these, and what to take away. */
const addressOf = (name) => "#" + encodeURIComponent(name);
const linkTo = (name) => make("a", { href: addressOf(name), class: "data", text: name });
const indexOf = new Map(columns.map((column, i) => [column.n, i]));
const widthOf = (place) => Math.max(260, place.clientWidth);

const switches = (card, column) => {
  const redraw = () => drawCharts(card, column);
  const buttons = usable().map(([key, found]) =>
    make("button", { type: "button", "data-measure": key, "aria-pressed": String(key === state.measure), text: found.title(state.chosen),
      onclick: () => { state.measure = key; redraw(); } }));
  const group = make("div", { class: "chips switch", role: "group", "aria-label": "What the bars show" }, ...buttons);
  const tools = [];
  if (classes.length > 2) {
    const select = make("select", { class: "chosen", "aria-label": "Class" }, ...classes.map((name, j) => make("option", { value: j, selected: j === state.chosen, text: name })));
    select.addEventListener("change", () => { state.chosen = Number(select.value); if (!measures[state.measure].isOfClass) state.measure = "rate"; open(indexOf.get(column.n)); });
    tools.push(make("label", null, "Class ", select));
  }
  if (column.p.length > 2) {
    const order = make("select", { class: "order", "aria-label": "Order" }, ...[["", "as they are"], ["value", "by value"], ["rows", "by rows"]].map(([value, text]) => make("option", { value, text, selected: value === state.order })));
    order.addEventListener("change", () => { state.order = order.value; redraw(); });
    tools.push(make("label", null, "Order ", order));
  }
  return make("div", { class: "chart-head" }, group, make("span", { class: "tools-of-chart" }, ...tools));
};
const drawCharts = (card, column) => {
  card.querySelectorAll("[data-measure]").forEach((button) => {
    button.setAttribute("aria-pressed", String(button.dataset.measure === state.measure));
    button.textContent = measures[button.dataset.measure].title(state.chosen);
  });
  const after = card.querySelector(".after");
  after.replaceChildren(drawParts(column, widthOf(after)));
  const before = card.querySelector(".before");
  if (before) before.replaceChildren(drawBefore(column, widthOf(before)));
  const legend = card.querySelector(".marks");
  if (legend) legend.hidden = state.measure !== "rate";
};
const savers = (column) => {
  const button = (text, act, title) => make("button", { type: "button", class: "small", text, title, onclick: (event) => act(event.currentTarget) });
  const chart = () => document.querySelector(".card.open .after svg");
  const title = () => column.n + ": " + measures[state.measure].title(state.chosen);
  const found = [button("CSV", () => download(fileName(column.n, ".csv"), "text/csv;charset=utf-8", partsCsv(column)), "Download the table")];
  found.push(button("SVG", () => download(fileName(column.n, ".svg"), "image/svg+xml", svgText(chart(), title())), "Download the chart"));
  found.push(button("PNG", () => savePng(chart(), title(), fileName(column.n, ".png")), "Download the chart"));
  if (column.sql) found.push(button("Copy SQL", (node) => copy(column.sql, node)), button("SQL", () => download(fileName(column.n, ".sql"), "text/plain;charset=utf-8", column.sql + "\n"), "Download the rule"));
  if (column.py) found.push(button("Copy Python", (node) => copy(REPORT.python + column.py, node)), button("Python", () => download(fileName(column.n, ".py"), "text/x-python;charset=utf-8", REPORT.python + column.py), "Download the rule"));
  return make("div", { class: "savers", role: "group", "aria-label": "Copy and download" }, ...found);
};
const remarksOf = (column) => {
  const found = REPORT.remarks.filter((remark) => remark.c === column.n);
  return found.length ? make("ul", { class: "remarks" }, ...found.map((remark) => make("li", { class: remark.k.replace(" ", "-") }, remark.t))) : null;
};
const figure = (value, text, key) => make("div", null, make("b", { text: value }), term(text, key));

const headerOf = (column, index) => {
  const about = [column.k, counted(column.v, "value"), ...(column.m ? [whole.format(column.m) + " missing"] : [])].join(" · ");
  const proof = column.u ? null : term(column.o ? "proven optimum" : column.pr, "proof");
  if (proof) proof.className += " badge";
  return make("header", null,
    make("a", { href: "#/", class: "back", text: "← All columns" }),
    make("h2", { id: "h" + index, class: "data", text: column.n }),
    make("p", { class: "kind" }, about + (proof ? " · " : ""), proof),
    make("div", { class: "figures" }, figure(fixed(column.l), "level", "level"),
      column.iv === undefined ? null : figure(fixed(column.iv), "IV", "iv"), column.g === undefined ? null : figure(fixed(column.g, 2), "Gini", "gini")));
};
const marksLegend = (column) => {
  const named = (column.s || []).slice(0, MOST_MARKED).filter((on) => on.c.length);
  const found = [["whisker", "95 % interval"], ...named.map((_, i) => ["sample", samples[i].n, i])];
  const icon = ([name, , i]) => draw("svg", { width: 22, height: 14, "aria-hidden": "true" }, draw("path", { class: name, d: name === "whisker" ? "M2 7H20M2 3V11M20 3V11" : SHAPES[i](11, 7) }));
  return make("p", { class: "marks" }, ...found.map((one) => make("span", null, icon(one), data(one[1]))));
};
const makeCard = (index) => {
  const column = columns[index];
  const card = make("article", { class: "card open", "aria-labelledby": "h" + index, tabindex: -1, "data-name": column.n });
  const sections = [headerOf(column, index), make("p", { class: "verdict", text: column.d }), remarksOf(column), relatedOf(column)];
  if (column.fa) sections.push(make("dl", { class: "quantiles" }, ...column.fa.map(([name, value]) => make("div", null, make("dt", { text: name }), make("dd", { text: value })))));
  sections.push(switches(card, column), make("div", { class: "chart after" }));
  if (measures.rate.isUsable) sections.push(marksLegend(column));
  sections.push(make("h3", { text: "Table" }), scrolling(partsTable(column)), savers(column));
  if (column.s) sections.push(make("h3", { text: "Against the fitted rows" }), scrolling(samplesTable(column)));
  if (column.b) sections.push(make("h3", { text: column.b.k === "values" ? "The most frequent values before they were grouped" : "The values before they were cut" }), make("div", { class: "chart before" }));
  const members = membersList(column);
  if (members) sections.push(make("h3", { text: "Values of each group" }), members);
  sections.push(make("h3", { text: "Why these parts" }), make("pre", { class: "why data", text: column.why }));
  if (column.b) {
    const more = make("details", { class: "table-of-before" }, make("summary", { text: "Table of the values before" }));
    more.addEventListener("toggle", () => { if (more.open && more.childElementCount === 1) more.append(scrolling(beforeTable(column))); });
    sections.push(more);
  }
  card.append(...sections.filter(Boolean));
  return card;
};

/* For paper: name, numbers, chart and table, small enough for several on a page. */
const makePrinted = (index) => {
  const column = columns[index];
  const figures = [["level", fixed(column.l)], ...(column.iv === undefined ? [] : [["IV", fixed(column.iv)]]), ...(column.g === undefined ? [] : [["Gini", fixed(column.g, 2)]])];
  return make("article", { class: "printed" }, make("h2", { class: "data", text: column.n }),
    make("p", { text: column.k + " · " + figures.map(([name, value]) => name + " " + value).join(" · ") + " · " + counted(column.np, "part") }),
    make("div", { class: "chart" }, drawParts(column, 330)));
};
