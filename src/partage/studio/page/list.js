/* The columns: how far each is, and the way to it. */
import { byId, make, data, fixed, drawShape, live, REPORT } from "./shared.js";

export const rows = new Map(REPORT.columns.map((row) => [row.n, row]));
const nodes = new Map();
const FILTERS = [
  ["all", "All", () => true],
  ...REPORT.statuses.map((status) => [status, status[0].toUpperCase() + status.slice(1), (row) => row.st === status]),
  ["edited", "Edited", (row) => row.ed > 0],
  ["broken", "Limits broken", (row) => row.bad > 0],
];
let shown = FILTERS[0];
let opened = "";
export const addressOf = (name) => "#" + encodeURIComponent(name);

const fillRow = (node, row) => {
  const name = make("a", { href: addressOf(row.n), class: row.l > 0 ? null : "useless" }, data(row.n, "name"), make("small", { text: row.k + (row.note ? " · note" : "") }));
  const badge = make("span", { class: "status " + row.st, title: row.st, "aria-label": row.st });
  node.replaceChildren(
    make("th", { scope: "row" }, badge, name),
    make("td", { class: "num", text: fixed(row.l, 3) }),
    make("td", { class: "num", text: String(row.np) }),
    make("td", { class: "num" + (row.bad ? " high" : ""), text: row.ed ? String(row.ed) : row.bad ? "!" : "", title: row.bad ? "limits are broken" : null }),
    make("td", { class: "shape" }, drawShape(row, 80, 24)),
  );
};
const progress = () => {
  const all = [...rows.values()];
  const parts = REPORT.statuses.map((status) => [status, all.filter((row) => row.st === status).length]);
  const signed = parts.at(-1)[1];
  byId("progress").replaceChildren(
    make("div", { class: "bar", role: "img", "aria-label": parts.map(([status, n]) => `${n} ${status}`).join(", ") },
      ...parts.toReversed().map(([status, n]) => { const piece = make("i", { class: status }); piece.style.flexGrow = n; return piece; })),
    make("small", { class: "soft", text: `${signed} of ${all.length} signed, ${parts[1][1]} reviewed` }),
  );
};
export const filter = () => {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let n = 0;
  for (const [name, node] of nodes) {
    node.hidden = !(shown[2](rows.get(name)) && words.every((word) => name.toLowerCase().includes(word)));
    n += !node.hidden;
  }
  byId("nothing").hidden = n > 0;
};
export const update = (row) => {
  rows.set(row.n, row);
  fillRow(nodes.get(row.n), row);
  progress();
  filter();
};
export const mark = (name) => {
  nodes.get(opened)?.classList.remove("open");
  opened = name;
  nodes.get(name)?.classList.add("open");
  nodes.get(name)?.scrollIntoView({ block: "nearest" });
};
export const visible = () => [...nodes].filter(([, node]) => !node.hidden).map(([name]) => name);
export const startList = (go) => {
  const body = document.querySelector("#ranking tbody");
  for (const row of rows.values()) {
    const node = make("tr", { "data-name": row.n });
    fillRow(node, row);
    node.addEventListener("click", (event) => { event.preventDefault(); go(addressOf(row.n)); });
    nodes.set(row.n, node);
    body.append(node);
  }
  const chips = FILTERS.map((one) => make("button", { type: "button", "data-show": one[0], "aria-pressed": String(one === shown), text: one[1], onclick: (event) => {
    shown = one;
    chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip === event.currentTarget)));
    filter();
    live.textContent = visible().length + " columns";
  } }));
  byId("filters").append(...chips);
  byId("search").addEventListener("input", filter);
  progress();
};
