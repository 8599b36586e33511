/* The parts as a table: chosen, merged, locked; missing and special values beside them. */
import { make, data, whole, percent, fixed, signed, plain, scrolling, isTwo, classes, REPORT, root } from "./shared.js";
import { act, chosen } from "./column.js";

const canEdit = (column) => !REPORT.readOnly && column.status !== "signed";
const cell = (text, kind = "num") => make("td", { class: kind, text });
const hasRate = isTwo || REPORT.isNumber;
const shownRate = (rate) => (rate === null || rate === undefined ? "–" : REPORT.isNumber ? plain(rate) : percent(rate));

export const partsTable = (column) => {
  const isOpen = canEdit(column);
  const heads = ["", column.noun === "group" ? "Group" : "Part", "Rows", "Share", ...(hasRate ? [REPORT.isNumber ? "Mean" : `Rate of ${classes[REPORT.event]}`] : []), ...(isTwo ? ["WoE", "IV"] : []), "Bits", ...(hasRate ? REPORT.samples.map((sample) => sample.n) : []), ""];
  const body = column.p.map((part, k) => rowOf(column, part, k, isOpen));
  const table = make("table", { class: "parts", id: "parts" },
    make("thead", {}, make("tr", {}, ...heads.map((text, i) => make("th", { scope: "col", class: i > 1 ? "num" : null, text })))),
    make("tbody", {}, ...body));
  const merge = make("button", { type: "button", id: "merge", class: "small", text: "Merge chosen (m)", disabled: !isOpen || chosen.parts.size < 2, onclick: mergeChosen });
  return make("div", {}, scrolling(table), make("div", { class: "acts" }, merge));
};
export const mergeChosen = () => {
  const parts = [...chosen.parts].sort((a, b) => a - b);
  chosen.parts.clear();
  return act({ do: "merge", parts });
};
const rowOf = (column, part, k, isOpen) => {
  const isPart = !part.x;
  const box = isPart && make("input", { type: "checkbox", "aria-label": "Choose " + part.t, checked: chosen.parts.has(part.k), disabled: !isOpen, onchange: (found) => {
    if (found.target.checked) chosen.parts.add(part.k);
    else chosen.parts.delete(part.k);
    root.querySelector("#merge").disabled = chosen.parts.size < 2;
  } });
  const lock = isPart && !column.isLine && make("button", { type: "button", class: "small lock", "aria-pressed": String(column.locked.includes(part.k)), text: column.locked.includes(part.k) ? "Locked" : "Lock", disabled: !isOpen, onclick: () => act({ do: "lock", index: part.k, on: !column.locked.includes(part.k) }) });
  const node = make("tr", { class: isPart ? null : "beside", "data-part": isPart ? part.k : null },
    make("td", {}, box),
    make("th", { scope: "row" }, data(part.t), isPart && !column.isMeasured && make("small", { class: "soft", text: ` ${whole.format(column.sizes[part.k])} values` })),
    cell(whole.format(part.r)), cell(percent(part.s)), ...(hasRate ? [cell(shownRate(part.rate))] : []),
    ...(isTwo ? [cell(part.w ? signed(part.w[0], 3) : ""), cell(part.v === undefined ? "" : fixed(part.v, 4))] : []),
    cell(part.z === undefined ? "" : fixed(part.z, 1)),
    ...(hasRate ? part.others.map((rate) => cell(shownRate(rate))) : []),
    make("td", { class: "num" }, lock));
  if (isPart && !column.isMeasured && isOpen) {
    node.addEventListener("dragover", (found) => { found.preventDefault(); node.classList.add("over"); });
    node.addEventListener("dragleave", () => node.classList.remove("over"));
    node.addEventListener("drop", (found) => {
      found.preventDefault();
      node.classList.remove("over");
      const values = JSON.parse(found.dataTransfer.getData("application/json") || "[]");
      if (values.length) act({ do: "move", values, to: part.k });
    });
  }
  return node;
};
export const asideRow = (column) => column.aside.map(({ name, part, rows }) => {
  const pick = make("select", { "aria-label": name, "data-beside": name, disabled: !canEdit(column), onchange: () => {
    act(pick.value === "" ? { do: "set_apart", beside: name } : { do: "merge", parts: [Number(pick.value), name] });
  } },
    make("option", { value: "", text: "apart", selected: part === null }),
    ...column.p.filter((one) => !one.x).map((one) => make("option", { value: one.k, text: "with " + one.t, selected: part === one.k })));
  return make("p", { class: "aside" }, make("b", { class: "data", text: name }), ` ${whole.format(rows)} rows: `, pick);
});
