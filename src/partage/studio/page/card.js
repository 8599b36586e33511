/* Views of all columns: the scorecard of those that were signed, pairs, files. */
import { byId, make, data, fixed, percent, whole, signed, scrolling, REPORT, download, classes, isTwo } from "./shared.js";
import { get, file, toast } from "./api.js";
import { rows, addressOf } from "./list.js";

const article = (pane, title, ...children) => pane.replaceChildren(make("article", { class: "card" }, make("header", { class: "head" }, make("a", { class: "back inside", href: "#", text: "← Columns" }), make("h2", { text: title })), ...children));
const cell = (text, kind = "num") => make("td", { class: kind, text: text ?? "–" });
const number = (x, digits = 3) => (x === null || x === undefined ? "–" : fixed(x, digits));
const tableOf = (id, heads, body) => scrolling(make("table", { class: "parts", id },
  make("thead", {}, make("tr", {}, ...heads.map(([text, kind]) => make("th", { scope: "col", class: kind || "num", text })))), make("tbody", {}, ...body)));
const tile = (name, value, note) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }), note && make("small", { class: "soft", text: note }));

let isEvery = false;
export const showCard = async (pane) => {
  const pick = make("label", { class: "choice" }, make("input", { type: "checkbox", id: "every", checked: isEvery, onchange: (event) => { isEvery = event.target.checked; showCard(pane).catch((error) => toast(error.message)); } }), " all columns that say something, signed or not");
  let card;
  try { card = await get("/api/card", isEvery ? { every: "1" } : {}); } catch (error) { article(pane, "Scorecard", make("p", { id: "no-card", text: error.message }), isTwo && pick); return; }
  const left = card.summary.filter((row) => row.why);
  article(pane, "Scorecard",
    make("p", { class: "soft", text: `Points of the ${card.names.length} ${isEvery ? "" : "signed "}columns, from ${whole.format(card.rows)} rows${card.isSample ? " drawn at random" : ""}. More points mean that ${classes[REPORT.event]} is less likely.` }), pick,
    make("dl", { class: "tiles", id: "measures" },
      ...["auc", "gini", "ks"].map((name) => tile(name.toUpperCase().replace("GINI", "Gini"), number(card.measures[name], 4), card.holdout ? `holdout ${number(card.holdout[name], 4)}` : "")),
      tile("Points", card.range.map((x) => whole.format(x)).join(" – "))),
    make("h3", { text: "Columns" }),
    tableOf("card-columns", [["Column", "data"], ["Parts"], ["IV"], ["Weight"], ["Sign"], ["p"], ["VIF"], ["Points"], ["", "data"]],
      card.summary.filter((row) => row.parts !== null).map((row) => make("tr", { class: row.why ? "beside" : null },
        make("th", { scope: "row" }, make("a", { class: "inside data", href: addressOf(row.column), text: row.column })),
        cell(row.parts), cell(number(row.iv, 4)), cell(number(row.coefficient, 3)), cell(row.sign || "–", row.sign === "against" ? "num high" : "num"),
        cell(number(row.p_value, 4)), cell(number(row.vif, 2)), cell(row.lowest === null ? "–" : `${whole.format(row.lowest)} – ${whole.format(row.highest)}`), cell(row.why, "soft")))),
    make("h3", { text: "Points" }),
    tableOf("card-points", [["Column", "data"], ["Part", "data"], ["Rows"], ["Share"], [`Rate of ${classes[REPORT.event]}`], ["WoE"], ["Points"]],
      card.table.map((row, i) => make("tr", { class: i && card.table[i - 1].column !== row.column ? "first" : null },
        make("th", { scope: "row" }, data(i && card.table[i - 1].column === row.column ? "" : row.column)), cell(row.part, "data"), cell(whole.format(row.count)), cell(percent(row.share)), cell(percent(row.event_rate)), cell(signed(row.woe, 3)), make("td", { class: "num strong", text: whole.format(row.points) })))));
  return left;
};
/* The line of the list: how good the card of the signed columns is. */
export const tellCard = async () => {
  const place = byId("card-line");
  if (!place || !isTwo || !REPORT.hasRows || ![...rows.values()].some((row) => row.st === "signed")) { if (place) place.textContent = ""; return; }
  try {
    const card = await get("/api/card");
    place.textContent = `Scorecard: AUC ${number(card.measures.auc, 4)} on ${card.names.length} signed`;
  } catch (error) { place.textContent = error.message; }
};

const chosen = { a: null, b: null };
export const showPairs = async (pane) => {
  const names = [...rows.keys()];
  chosen.a = rows.has(chosen.a) ? chosen.a : names[0];
  chosen.b = rows.has(chosen.b) && chosen.b !== chosen.a ? chosen.b : names.find((name) => name !== chosen.a);
  const pick = (key) => make("select", { id: "pair-" + key, "aria-label": key === "a" ? "First column" : "Second column", onchange: (event) => { chosen[key] = event.target.value; showPairs(pane).catch((error) => toast(error.message)); } },
    ...names.map((name) => make("option", { value: name, text: name, selected: name === chosen[key] })));
  const place = make("div", { id: "pair" });
  article(pane, "Pairs", make("p", { class: "acts" }, pick("a"), make("span", { text: "and" }), pick("b")), place);
  if (chosen.b === undefined) { place.append(make("p", { text: "There is one column only." })); return; }
  let found;
  try { found = await get("/api/pair", chosen); } catch (error) { place.append(make("p", { text: error.message })); return; }
  const most = Math.max(...found.rates.flat());
  const table = make("table", { class: "grid" }, make("caption", { text: `Rate of ${found.event}, and rows, in your parts` }),
    make("thead", {}, make("tr", {}, make("th", {}, data(found.names[0] + " ↓  " + found.names[1] + " →")), ...found.labels[1].map((text) => make("th", { scope: "col" }, data(text))))),
    make("tbody", {}, ...found.labels[0].map((text, i) => make("tr", {}, make("th", { scope: "row" }, data(text)), ...found.labels[1].map((_, j) => {
      const n = found.rows[i][j];
      const node = make("td", { class: n ? "tinted" : null }, make("b", { text: n ? percent(found.rates[i][j]) : "–" }), make("small", { text: whole.format(n) }));
      if (n) { node.style.setProperty("--tint", `var(--k${REPORT.event ?? 0})`); node.style.setProperty("--strength", `${(8 + (60 * found.rates[i][j]) / (most || 1)).toFixed(0)}%`); }
      return node;
    })))));
  place.append(scrolling(table), make("h3", { text: "The best grid of both" }), make("p", { id: "pair-told", text: found.best.t }),
    make("p", { class: "soft", text: `It has ${found.best.a.length} × ${found.best.b.length} cells: ${found.best.a.join(" · ")} by ${found.best.b.join(" · ")}.${found.isSample ? " From rows drawn at random." : ""}` }));
};

const FILES = [
  ["sql", "SQL", "One SELECT that gives the part of every column.", REPORT.dialects],
  ["python", "Python", "A module of the standard library alone: transform(row)."],
  ["model", "Model", "model.json, for partage.load and partage apply."],
  ["document", "Validator's document", "The card of the signed columns with its tests; without two classes, the report of all columns."],
];
export const showExport = async (pane) => {
  const saveFile = async (name, asked) => {
    try { const found = await file("/api/export/" + name, asked); download(found.name, found.blob.type, found.blob); } catch (error) { toast(error.message); }
  };
  article(pane, "Export", make("div", { class: "exports" }, ...FILES.map(([name, title, text, dialects]) => {
    const pick = dialects && make("select", { "aria-label": "Dialect", id: "dialect" }, ...dialects.map((dialect) => make("option", { text: dialect })));
    return make("section", { class: "box" }, make("h3", { text: title }), make("p", { text }), make("div", { class: "acts" }, pick, make("button", { type: "button", "data-export": name, text: "Download", onclick: () => saveFile(name, pick ? { dialect: pick.value } : {}) })));
  })), make("p", { class: "soft" }, "The studio itself saves to ", make("code", { text: REPORT.path }), "."));
};
