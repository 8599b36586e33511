/* The parts as a table, with the samples beside them, and the values of groups. */
const headOf = (text, key, name = "num") => make("th", { scope: "col", class: name }, key ? term(text, key) : data(text));
const cellOf = (text, name = "num") => make("td", { class: name, text });
const isShown = (list, k) => list && list[k] !== undefined && list[k] !== null;

/* Columns of the table: title, word of the glossary, text of a part, text of all rows, plain number for CSV. */
const tableColumns = (column) => {
  const total = sum(column.p.map((part) => part.r));
  const found = [
    ["Rows", "", (p) => whole.format(p.r), whole.format(total), (p) => p.r],
    ["Share", "", (p) => percent(p.s), percent(1), (p) => p.s],
  ];
  const extra = REPORT.isNumber ? numberColumns(column) : classColumns(column);
  found.push(...extra);
  if (column.p.some((p) => p.z !== undefined))
    found.push(["Bits", "bits", (p) => signed(p.z, 1), signed(sum(column.p.map((p) => p.z || 0)), 1), (p) => p.z]);
  return found;
};
const classColumns = (column) => {
  const j = state.chosen;
  const totals = classes.map((_, c) => sum(column.p.map((p) => p.c[c])));
  const weight = sum(totals) || 1;
  const rate = (p, c) => p.c[c] / (sum(p.c) || 1);
  if (!isTwo)
    return classes.map((name, c) => [name, "", (p) => (p.r ? percent(rate(p, c)) : "–"), percent(totals[c] / weight), (p) => p.c[c]]);
  return [
    [classes[1 - j], "", (p) => count(p.c[1 - j]), count(totals[1 - j]), (p) => p.c[1 - j]],
    [classes[j], "", (p) => count(p.c[j]), count(totals[j]), (p) => p.c[j]],
    ["Event rate", "event", (p) => (p.r ? percent(rate(p, j)) : "–"), percent(totals[j] / weight), (p) => rate(p, j)],
    ["95 %", "interval", (p) => (p.r && p.i ? (100 * p.i[j][0]).toFixed(1) + " – " + (100 * p.i[j][1]).toFixed(1) : "–"), "", null],
    ["WoE", "woe", (p) => (isShown(p.w, 0) ? signed(p.w[0]) : ""), "", (p) => p.w[0]],
    ["IV", "iv", (p) => (p.v === undefined ? "" : fixed(p.v)), column.iv === undefined ? "" : fixed(column.iv), (p) => p.v],
  ];
};
const sampleColumns = (column) =>
  (column.s || []).flatMap((on, i) => {
    const total = sum(on.r);
    const j = state.chosen;
    const rate = (counts) => (counts && sum(counts) && !REPORT.isNumber ? percent(counts[j] / sum(counts)) : "–");
    const mean = [samples[i].n + ": mean", "", (p, k) => shownAmount(on.c[k] && on.c[k][0]), "", (p, k) => on.c[k] && on.c[k][0]];
    const found = [[samples[i].n + ": share", "", (p, k) => percent(on.r[k] / (total || 1)), whole.format(total) + " rows", (p, k) => on.r[k]]];
    if (on.c.length && REPORT.isNumber) found.push(mean);
    else if (on.c.length && isTwo)
      found.push([samples[i].n + ": rate", "", (p, k) => rate(on.c[k]), rate(classes.map((_, c) => sum(on.c.map((row) => row[c])))), (p, k) => on.c[k][j] / (sum(on.c[k]) || 1)]);
    return found;
  });
const partsTable = (column) => {
  const shown = [...tableColumns(column), ...sampleColumns(column)];
  const head = make("tr", null, make("th", { scope: "col", class: "num", text: "Code" }), headOf("Part", "part", ""), ...shown.map(([title, key]) => headOf(title, key)));
  const body = column.p.map((part, k) =>
    make("tr", { class: part.x ? "beside" : null }, cellOf(String(part.k)),
      make("th", { scope: "row" }, data(part.t), part.g ? term(" garbage group", "garbage") : null),
      ...shown.map(([, , text]) => cellOf(text(part, k)))));
  const foot = make("tr", null, make("td"), make("th", { scope: "row", text: "All rows" }), ...shown.map(([, , , text]) => cellOf(text)));
  return make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, ...body), make("tfoot", null, foot));
};
const partsCsv = (column) => {
  const shown = [...tableColumns(column), ...sampleColumns(column)].filter(([, , , , plainOf]) => plainOf);
  const rows = column.p.map((part, k) => [part.k, part.t, ...shown.map(([, , , , plainOf]) => plainOf(part, k) ?? "")]);
  return csvOf([["code", "part", ...shown.map(([title]) => title)], ...rows]);
};
const samplesTable = (column) => {
  const hasLevel = column.s.some((on) => on.l !== undefined);
  const head = make("tr", null, headOf("Sample", "", ""), headOf("Rows", ""), headOf("PSI", "psi"), ...(hasLevel ? [headOf("Level", "level"), headOf("Expected", "expected")] : []));
  const body = column.s.map((on, i) =>
    make("tr", null, make("th", { scope: "row" }, data(samples[i].n)), cellOf(whole.format(samples[i].r)), cellOf(fixed(on.d)),
      ...(hasLevel ? [cellOf(on.l === undefined ? "" : fixed(on.l)), cellOf(on.e === undefined ? "" : fixed(on.e))] : [])));
  return make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, ...body));
};

/* The distribution before the parts as a table. */
const beforeTable = ({ b: before }) => {
  const isValues = before.k === "values";
  const shown = (x) => (before.t ? moment(x, 9e9, before.z) : plain(x));
  const labels = isValues ? before.l : before.k === "numbers" ? before.e.map(shown) : before.e.slice(1).map((x, i) => `(${shown(before.e[i])}, ${shown(x)}]`);
  const names = classes.length ? classes : ["rows"];
  const head = make("tr", null, headOf("Values", "", ""), ...(isValues ? [headOf("Group", "")] : []), ...names.map((name) => headOf(name, "")));
  const body = before.c.map((row, i) => make("tr", null, make("th", { scope: "row" }, data(labels[i])), ...(isValues ? [cellOf(String(before.g[i]))] : []), ...row.map((n) => cellOf(count(n)))));
  if (before.n) body.push(make("tr", null, make("th", { scope: "row", text: whole.format(before.n) + " more values" }), cellOf(""), ...(before.o || []).map((n) => cellOf(count(n)))));
  return make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, ...body));
};

/* The values of each group, the most frequent first. */
const FIRST_SHOWN = 30;
const membersList = (column) => {
  const groups = column.p.filter((part) => part.m && part.m.length);
  if (!groups.length) return null;
  const chip = ([value, n]) => make("span", { class: "value" }, data(value), n ? make("small", { text: " " + whole.format(n) }) : null);
  const lines = groups.map((part) => {
    const chips = part.m.map((value, i) => [value, part.mc ? part.mc[i] : 0]);
    const total = part.m.length + (part.mr || 0);
    const place = make("dd", null, ...chips.slice(0, FIRST_SHOWN).map(chip));
    const rest = part.mr ? make("span", { class: "rest", text: `and ${whole.format(part.mr)} more, all in the model` }) : null;
    if (chips.length > FIRST_SHOWN) {
      const button = make("button", { type: "button", class: "small", text: `Show ${whole.format(chips.length - FIRST_SHOWN)} more` });
      button.addEventListener("click", () => { button.replaceWith(...chips.slice(FIRST_SHOWN).map(chip), ...(rest ? [rest] : [])); });
      place.append(button);
    } else if (rest) place.append(rest);
    return make("div", null, make("dt", null, `Group ${part.k}, ${counted(total, "value")}`, part.g ? term(", rare or unseen values (garbage group)", "garbage") : null), place);
  });
  return make("dl", { class: "members" }, ...lines);
};
