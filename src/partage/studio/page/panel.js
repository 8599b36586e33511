/* Beside the parts: limits, what was done and why, the note, the status. */
import { make, signed, REPORT } from "./shared.js";
import { act } from "./column.js";

const isClosed = (column) => REPORT.readOnly || column.status === "signed";

export const statusBar = (column) => make("div", { class: "steps", role: "group", "aria-label": "Status" },
  ...REPORT.statuses.map((status) => make("button", { type: "button", "data-status": status, "aria-pressed": String(column.status === status), class: status, disabled: REPORT.readOnly, text: status[0].toUpperCase() + status.slice(1), onclick: () => act({ do: "status", status }) })),
  column.signed.who !== undefined && make("small", { class: "soft", text: `by ${column.signed.who || "somebody"}, ${column.signed.when.slice(0, 10)}` }));

const FIELDS = [
  ["max_parts", "Most parts", "number", 1],
  ["min_part_size", "Least rows of a part, or share", "number", "any"],
  ["min_class_count", "Least rows of each class", "number", "any"],
  ["round_cuts", "Bits that round cuts may cost", "number", "any"],
];
const TRENDS = ["", "ascending", "descending", "peak", "valley", "auto"];
const numberOf = (text) => (text.trim() === "" ? null : Number(text));
const limitsBox = (column) => {
  const set = (name, value) => act({ do: "limits", limits: { [name]: value } });
  const fields = FIELDS.filter(([name]) => (name !== "round_cuts" || column.isMeasured) && (name !== "min_class_count" || (column.isLine && !REPORT.isNumber)))
    .map(([name, title, type, step]) => make("label", {}, title, make("input", { type, step, min: 0, "data-limit": name, value: column.limits[name] ?? "", disabled: isClosed(column), onchange: (event) => set(name, numberOf(event.target.value)) })));
  if (column.isLine) {
    const pick = make("select", { "data-limit": "monotonic", disabled: isClosed(column), onchange: () => set("monotonic", pick.value || null) },
      ...TRENDS.map((trend) => make("option", { value: trend, text: trend || "any", selected: (column.limits.monotonic || "") === trend })));
    fields.push(make("label", {}, "Trend", pick));
  }
  return make("section", { class: "box limits" }, make("h3", { text: "My limits" }), ...fields);
};
const historyBox = (column) => {
  const items = column.history.map((edit) => make("li", {},
    make("code", { text: edit.action }), " ", make("b", { class: "num", text: signed(edit.price, 2) + " bits" }),
    make("small", { class: "soft", text: [edit.reason && `“${edit.reason}”`, edit.who, edit.when.slice(0, 16).replace("T", " ")].filter(Boolean).join(", ") })));
  return make("section", { class: "box" }, make("h3", { text: "History" }),
    items.length ? make("ol", { class: "history", id: "history" }, ...items.reverse()) : make("p", { class: "soft", text: "These are the parts that the fit found." }),
    column.redo > 0 && make("p", { class: "soft", text: `${column.redo} undone; r does them again.` }));
};
const noteBox = (column) => {
  const area = make("textarea", { id: "note", rows: 3, maxlength: 4000, placeholder: "Note on this column", "aria-label": "Note", disabled: REPORT.readOnly });
  area.value = column.note;
  area.addEventListener("change", () => { if (area.value !== column.note) act({ do: "note", text: area.value }); });
  return make("section", { class: "box" }, make("h3", { text: "Note" }), area);
};
export const panel = (column) => make("div", {}, limitsBox(column), historyBox(column), noteBox(column));
