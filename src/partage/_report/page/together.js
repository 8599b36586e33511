/* Two columns at a time: grids of cells, pairs by what they say together, columns that repeat each other. */
const MOST_WRITTEN = 8; // parts of an axis whose cells have room for numbers
const shownClass = (counts) => (isTwo ? state.chosen : counts.indexOf(Math.max(...counts)));
const cellInfo = (view, i, j) => {
  const counts = view.c[i][j];
  const total = sum(counts);
  return { title: view.a[i] + " × " + view.b[j], note: counted(total, "row"), lines: counts.map((n, k) => [classes[k], "f" + k, count(n), percent(n / (total || 1))]) };
};
const cellsTable = (view) => {
  const isWritten = view.b.length <= MOST_WRITTEN;
  const cell = (counts, i, j) => {
    const total = sum(counts);
    const k = shownClass(counts);
    const share = total ? counts[k] / total : 0;
    const node = make("td", { class: total ? "tinted" : null });
    if (isWritten) node.append(...(total ? [make("b", null, isTwo ? null : data(classes[k] + " "), percent(share)), make("small", { text: count(total) })] : [make("small", { text: "–" })]));
    else node.append(make("span", { class: "hidden", text: total ? (isTwo ? "" : classes[k] + " ") + percent(share) + " of " + count(total) : "–" }));
    node.style.setProperty("--tint", `var(--k${k})`);
    node.style.setProperty("--strength", Math.round((isWritten ? 40 : 85) * share) + "%");
    node.addEventListener("pointermove", (event) => showTip(cellInfo(view, i, j), event.clientX, event.clientY));
    node.addEventListener("pointerleave", hideTip);
    return node;
  };
  const head = make("tr", null, make("td"), ...view.b.map((label) => make("th", { scope: "col" }, data(label))));
  const lines = view.c.map((row, i) => make("tr", null, make("th", { scope: "row" }, data(view.a[i])), ...row.map((counts, j) => cell(counts, i, j))));
  const caption = make("caption", null, ...(isTwo ? ["Share of ", make("b", { class: "data", text: classes[state.chosen] })] : ["The most frequent class and its share"]), " in each cell, and its rows");
  return scrolling(make("table", { class: "grid" + (isWritten ? "" : " fine") }, caption, make("thead", null, head), make("tbody", null, ...lines)));
};
const withBoth = (names) => [linkTo(names[0]), " with ", linkTo(names[1])];

/* Pairs by what they say about the target beyond both columns. */
const lookedAt = (found) => `${counted((found.k * (found.k - 1)) / 2, "pair")} of ${found.k < columns.length ? "the " + found.k + " most informative columns" : counted(found.k, "column")}${found.r < REPORT.rows ? ", on a sample of " + whole.format(found.r) + " rows" : ""}`;
const togetherBlock = () => {
  const found = REPORT.together;
  if (!found || REPORT.isNumber) return null;
  const title = make("h3", { id: "together", tabindex: -1, text: "Columns together" });
  if (!found.p.length) return make("section", null, title, make("p", { class: "soft", text: `${lookedAt(found)}: none needs parts of both columns.` }));
  const line = (pair) => make("tr", null, make("th", { scope: "row" }, ...withBoth(pair.n)), cellOf(count(Math.round(pair.b))), cellOf(pair.a.map((bits) => count(Math.round(bits))).join(" + ")),
    make("td", { class: "num " + (pair.s > 0 ? "gain" : ""), text: signed(pair.s, Math.abs(pair.s) < 10 ? 1 : 0) }));
  const head = make("tr", null, headOf("Pair", "", ""), headOf("Bits together", "bits-of-pair"), headOf("Bits apart", "bits-of-pair"), headOf("Difference", "synergy"));
  const drawn = found.c.map((view) => make("div", { class: "cells-of-pair" }, make("h4", null, ...withBoth(view.n)), make("p", { class: "soft", text: view.t }), cellsTable(view)));
  return make("section", null, title, make("p", { class: "soft", text: `${lookedAt(found)}; what they say about the target together against what both say alone. Above 0 they interact.` }),
    scrolling(make("table", { class: "parts" }, make("thead", null, head), make("tbody", null, ...found.p.map(line)))), ...drawn);
};

/* Columns that hold the same, as a map of shares and as groups of which one is enough. */
const repeatsMap = (found) => {
  const n = found.m.length;
  const room = Math.min(Math.max(...found.m.map(measure)) + 10, 170);
  const side = Math.max(9, Math.min(26, Math.floor((Math.min(innerWidth - 60, 760) - room) / n)));
  const svg = canvas(room + n * side + 2, n * side + 2, "Share that columns have in common; the groups below name the highest");
  const marks = [];
  found.m.forEach((name, i) => {
    const label = draw("text", { x: room - 8, y: (i + 0.5) * side + 4, "text-anchor": "end", class: side < 13 ? "tight" : null });
    label.textContent = fit(name, room - 10);
    svg.append(label);
    found.m.forEach((other, j) => {
      const share = found.s[i][j];
      const node = draw("g", null, draw("rect", { x: room + j * side, y: i * side, width: side - 1, height: side - 1, rx: 2, class: i === j ? "itself" : "shared", style: `--share:${share / 100}` }));
      svg.append(node);
      if (i !== j) marks.push({ node, info: { title: name + " and " + other, note: share + " % in common" } });
    });
  });
  bringToLife(svg, marks);
  return make("div", { class: "chart map" }, svg);
};
const groupLine = (group) => {
  const [[kept], ...others] = group;
  const words = others.flatMap(([name, bits], i) => [i ? ", " : "", linkTo(name), bits > 0 ? ` (redundant by ${bits < 10 ? fixed(bits, 1) : count(Math.round(bits))} bits)` : ""]);
  return make("li", null, `Of these ${group.length}, keep `, linkTo(kept), ": it shares what they hold with ", ...words);
};
const repeatsBlock = () => {
  const found = REPORT.together;
  if (!found) return null;
  const title = make("h3", { id: "repeats", tabindex: -1, text: "Columns that repeat each other" });
  if (!found.m.length) return make("section", null, title, make("p", { class: "soft", text: `${lookedAt(found)}: none has anything in common.` }));
  return make("section", null, title,
    make("p", { class: "soft", text: "How much of the poorer of two columns the other holds, whatever the target: 0 means that they do not depend on each other. Alike columns stand together." }),
    repeatsMap(found), found.g.length ? make("ul", { class: "remarks" }, ...found.g.map(groupLine)) : make("p", { class: "soft", text: "No two columns have so much in common that one of them is enough." }));
};

/* In the card of a column: what it says more with, what it repeats. */
const relatedOf = (column) => {
  if (!column.rel) return null;
  const names = column.rel.map(([name]) => name);
  const found = REPORT.together;
  const isIn = found && found.g.some((group) => group.some(([name]) => names.includes(name)));
  return make("p", { class: "related" }, "See also ", ...column.rel.flatMap(([name, text], i) => [i ? "; " : "", linkTo(name), " (" + text + ")"]), " · ",
    make("a", { href: isIn ? "#/repeats" : "#/together", text: isIn ? "columns that repeat each other" : "columns together" }));
};
