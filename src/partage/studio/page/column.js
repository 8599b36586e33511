/* A column on the desk: its chart, its parts, its numbers; each command goes to the server. */
import { byId, make, data, counted, REPORT, drawParts, state, usable, hideTip, live } from "./shared.js";
import { get, post, tell, toast } from "./api.js";
import { update, rows } from "./list.js";
import { drawBorders, drawFixed, toolbar, enableTools } from "./chart.js";
import { partsTable, asideRow } from "./parts.js";
import { valuesPanel } from "./values.js";
import { numbersTable, brokenList } from "./numbers.js";
import { panel, statusBar } from "./panel.js";
import { tellCard } from "./card.js";
import { saved } from "./studio.js";

let column = null; // as it is on the server
let seen = null; // as a move that is under way would leave it
let certainty = {};
const spots = {};
export const chosen = { parts: new Set(), round: true };
export const current = () => column;

export const openColumn = async (name) => {
  hideTip();
  if (name === null) { column = null; return; }
  column = see(await get("/api/column", { name }));
  chosen.parts.clear();
  certainty = {};
  seen = null;
  layOut();
  if (column.isMeasured) {
    const found = await get("/api/certainty", { name });
    if (column?.n === name) { certainty = found; drawChart(); }
  }
};
export const refresh = async () => {
  if (!column) return;
  const found = see(await get("/api/column", { name: column.n }));
  if (found.n === column?.n) take(found);
};
/* The list keeps the version of every column: what a command was made on. */
const see = (found) => { rows.get(found.n).v = found.version; return found; };
const take = (found) => {
  const isSame = found.np === column.np;
  column = found;
  seen = null;
  if (!isSame) chosen.parts.clear();
  fill();
};

/* One command at a time: the next one waits for the answer. */
let waiting = Promise.resolve();
export const act = (command) => {
  const name = column?.n; // another column may be open when its turn comes
  waiting = waiting.then(() => asking).then(() => run(command, name));
  return waiting;
};
const run = async (command, name) => {
  if (!name || REPORT.readOnly) { seen = null; fill(); return false; }
  const reason = byId("reason")?.value.trim() || "";
  try {
    const found = await post("/api/do", { column: name, version: rows.get(name).v, reason, ...command });
    update(found.row);
    saved(found);
    tell(name);
    if (command.do === "status") tellCard();
    if (column?.n === name) take(found.column);
    live.textContent = found.column.history.length ? found.column.history.at(-1).action : "done";
    return true;
  } catch (error) {
    toast(error.message);
    if (error.status === 409) await refresh();
    else { seen = null; fill(); }
    return false;
  }
};

/* What a move would do: the last one asked for is shown, the others are left out. */
let asking = null; // a command waits until nothing is asked any more
let wanted = null;
export const preview = (command, show) => {
  wanted = { command, show };
  asking ??= ask().finally(() => { asking = null; });
};
const ask = async () => {
  while (wanted && column) {
    const asked = wanted;
    wanted = null;
    try {
      const found = await post("/api/preview", { column: column.n, version: column.version, ...asked.command });
      if (asked.show(found.column)) { seen = found.column; fill(true); }
    } catch { /* what cannot be done is said once it is asked for */ }
  }
};
export const endPreview = () => { wanted = null; seen = null; };
export const restore = async () => { endPreview(); fill(); };

const button = (text, key, command, id) =>
  make("button", { type: "button", id, text, title: key ? `${text} (${key})` : null, disabled: REPORT.readOnly, onclick: () => act(command) });
const layOut = () => {
  const pane = byId("pane");
  for (const name of ["head", "chart", "numbers", "parts", "table", "values", "side", "broken"]) spots[name] = make("div", { class: "spot-" + name });
  const pick = make("select", { "aria-label": "Measure", onchange: (event) => { state.measure = event.target.value; fill(); } },
    ...usable().map(([key, found]) => make("option", { value: key, selected: key === state.measure, text: found.title(state.chosen) })));
  pane.replaceChildren(make("article", { class: "card" },
    spots.head,
    make("div", { class: "acts", role: "toolbar", "aria-label": "Edits" },
      button("Undo", "u", { do: "undo" }, "undo"), button("Redo", "r", { do: "redo" }, "redo"), button("Reset", "", { do: "reset" }, "reset"),
      button("Best under my limits", "b", { do: "optimize" }, "optimize"),
      make("label", { class: "reason" }, make("span", { class: "hidden", text: "Reason of the next edit" }), make("input", { id: "reason", maxlength: 500, placeholder: "Reason of the next edit", autocomplete: "off", value: spots.reason || "" }))),
    spots.broken,
    make("div", { class: "desk" },
      make("div", { class: "work" }, column.isMeasured && toolbar(), column.isMeasured && spots.chart,
        make("div", { class: "chart-head" }, make("h3", { text: column.noun === "group" ? "Groups" : "Parts" }), pick), spots.parts, spots.table, spots.values, !column.isMeasured && spots.chart),
      make("aside", { class: "side" }, spots.numbers, spots.side))));
  spots.values.replaceChildren(...(column.isMeasured ? [] : [valuesPanel()]));
  fill();
};
const fill = (isPreview = false) => {
  const found = seen || column;
  if (!found || !spots.head) return;
  spots.numbers.replaceChildren(numbersTable(found));
  spots.broken.replaceChildren(...brokenList(found));
  spots.parts.replaceChildren(drawParts(found, Math.max(spots.parts.clientWidth, 280)));
  spots.table.replaceChildren(partsTable(found), ...asideRow(found));
  if (isPreview) return;
  const head = make("header", { class: "head" },
    make("a", { class: "back inside", href: "#", text: "← Columns" }),
    make("h2", {}, data(column.n)),
    make("p", { class: "kind", text: `${column.k}, ${counted(column.v, "value")}, ${counted(column.np, column.noun)}` }),
    statusBar(column));
  spots.head.replaceChildren(head);
  byId("undo").disabled = REPORT.readOnly || !column.history.length || column.status === "signed";
  byId("reset").disabled = byId("undo").disabled;
  byId("redo").disabled = REPORT.readOnly || !column.redo || column.status === "signed";
  byId("optimize").disabled = REPORT.readOnly || column.status === "signed" || !column.hasValues;
  enableTools(column);
  if (document.activeElement?.id !== "note") spots.side.replaceChildren(panel(column)); // a note is being written
  drawChart();
  spots.values.firstChild?.dispatchEvent(new Event("refresh"));
};
const drawChart = () => {
  if (!column.b) { spots.chart.replaceChildren(); return; }
  const width = Math.max(spots.chart.clientWidth, 280);
  spots.chart.replaceChildren(...(column.isMeasured ? drawBorders(column, certainty, width) : drawFixed(column, width)));
};
let later = 0;
export const redraw = () => {
  clearTimeout(later);
  later = setTimeout(() => { if (column) fill(); }, 120);
};
