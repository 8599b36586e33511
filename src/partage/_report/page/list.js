/* The ranking: every column in a row; sorted, searched, filtered. */
const hasDrift = columns.some((column) => column.x !== undefined);
const hasEvidence = columns.some((column) => column.iv !== undefined);
const hasGini = columns.some((column) => column.g !== undefined);
const HEADS = [
  ["n", "Column", "", "data"],
  ["l", "Level", "level"],
  ...(hasEvidence ? [["iv", "IV", "iv"]] : []),
  ...(hasGini ? [["g", "Gini", "gini"]] : []),
  ["np", "Parts", "part"],
  ["m", "Missing", "missing"],
  ...(hasDrift ? [["x", "Drift", "drift"]] : []),
];
const FILTERS = [
  ["all", "All", () => true],
  ["useful", "Informative", (column) => column.l > 0],
  ["useless", "Useless", (column) => column.u],
  ["redundant", "Redundant", (column) => column.re],
  ["drifting", "Drifting", (column) => column.x > 0.1],
  ["missing", "With gaps", (column) => column.m > 0],
  ["numeric", "Numbers", (column) => column.b ? column.b.k !== "values" : column.cuts.length > 0],
  ["categorical", "Categories", (column) => ["categorical", "ordered"].includes(column.k)],
].map(([key, text, holds]) => ({ key, text, holds, n: columns.filter(holds).length }));

const best = Math.max(...columns.map((column) => column.l), 1e-9);
const driftClass = (x) => (x > 0.25 ? "high" : x > 0.1 ? "middle" : "");
const rowOfColumn = (column, index) => {
  const cells = HEADS.slice(1).map(([key]) => {
    if (key === "l") return make("td", { class: "num level" }, make("span", { text: fixed(column.l) }), make("i", { class: "meter", style: `--share:${Math.max(0, column.l / best)}` }));
    if (key === "m") return make("td", { class: "num" + (column.m ? "" : " none"), text: column.m ? percent(column.m / REPORT.rows) : "0" });
    if (key === "x") return make("td", { class: "num " + driftClass(column.x), text: column.x === undefined ? "" : fixed(column.x, 2) });
    if (key === "np") return make("td", { class: "num", text: String(column.np) });
    return make("td", { class: "num " + key, text: column[key] === undefined ? "" : fixed(column[key], key === "g" ? 2 : 3) });
  });
  const small = column.u && column.y ? column.k + " · " + column.y : column.k;
  const link = make("a", { href: addressOf(column.n) }, make("span", { class: "data name", text: column.n }), make("small", { text: small }));
  return make("tr", { "data-index": index, "data-name": column.n, class: column.u ? "useless" : null }, make("th", { scope: "row" }, link), ...cells, make("td", { class: "shape" }));
};
const rows = columns.map(rowOfColumn);
const body = document.querySelector("#ranking tbody");
const heads = HEADS.map(([key, text, word, kind]) => {
  const button = make("button", { type: "button", text });
  if (word) explained(button, word);
  const head = make("th", { scope: "col", "data-key": key, class: kind === "data" ? null : "num " + key, "aria-sort": key === "l" ? "descending" : null }, button);
  button.addEventListener("click", () => sortBy(head, text, kind === "data"));
  return head;
});
const sortBy = (head, text, isText) => {
  const now = head.getAttribute("aria-sort");
  const way = now ? (now === "ascending" ? "descending" : "ascending") : isText ? "ascending" : "descending";
  heads.forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", way);
  const { key } = head.dataset;
  const sign = way === "ascending" ? 1 : -1;
  const compare = isText ? (a, b) => a.n.localeCompare(b.n, "en", { numeric: true }) : (a, b) => (a[key] ?? -1) - (b[key] ?? -1);
  const order = columns.map((_, i) => i).sort((a, b) => sign * compare(columns[a], columns[b]) || a - b);
  body.append(...order.map((i) => rows[i]));
  live.textContent = "Sorted by " + text + ", " + way;
};

/* What the search looks at: names, parts, values of groups; made when it is first used. */
let texts = null;
const textOf = (column) => [column.n, ...column.p.map((part) => part.t), ...column.p.flatMap((part) => part.m || [])].join("\n").toLowerCase();
let shown = FILTERS[0];
const search = byId("search");
const filter = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length && !texts) texts = columns.map(textOf);
  let n = 0;
  columns.forEach((column, i) => {
    const isFound = shown.holds(column) && words.every((word) => texts[i].includes(word));
    rows[i].hidden = !isFound;
    n += isFound;
  });
  byId("found").textContent = n + " of " + counted(columns.length, "column");
  byId("nothing").hidden = n > 0;
  root.classList.toggle("filtered", n < columns.length);
};
const chips = FILTERS.filter(({ key, n }) => key === "all" || (n > 0 && n < columns.length)).map((one) => {
  const chip = make("button", { type: "button", "data-show": one.key, "aria-pressed": String(one.key === "all") }, one.text + " ", make("small", { text: String(one.n) }));
  chip.addEventListener("click", () => {
    shown = one;
    chips.forEach((other) => other.setAttribute("aria-pressed", String(other === chip)));
    filter();
  });
  return chip;
});
const visibleRows = () => [...body.children].filter((row) => !row.hidden);

const startList = () => {
  document.querySelector("#ranking thead tr").append(...heads, make("th", { scope: "col", class: "shape", text: "Shape" }));
  body.append(...rows);
  byId("columns").classList.toggle("with-drift", hasDrift);
  const place = byId("columns").querySelector(".scroll");
  const look = () => byId("columns").classList.toggle("has-more", place.scrollWidth - place.clientWidth - place.scrollLeft > 4);
  place.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(place);
  byId("filters").append(...chips);
  search.addEventListener("input", filter);
  filter();
  /* Thumbnails are drawn once a row comes into view. */
  const eye = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
    if (!isIntersecting) return;
    eye.unobserve(target);
    target.lastChild.append(drawShape(columns[target.dataset.index]));
  }), { rootMargin: "300px" });
  rows.forEach((row) => eye.observe(row));
};
