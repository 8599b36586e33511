/* The values of a category: found by their text, dragged or sent into another group. */
import { make, data, whole, percent, count, REPORT } from "./shared.js";
import { get, toast } from "./api.js";
import { act, current } from "./column.js";

export const valuesPanel = () => {
  const picked = new Set();
  const search = make("input", { type: "search", id: "value-search", placeholder: "Search values ( v )", autocomplete: "off", "aria-label": "Search values" });
  const group = make("select", { "aria-label": "Group", id: "value-group" });
  const to = make("select", { "aria-label": "Move to", id: "value-to" });
  const list = make("ul", { class: "values", "aria-label": "Values" });
  const told = make("p", { class: "soft", role: "status" });
  const move = make("button", { type: "button", id: "value-move", class: "small", text: "Move" });
  const node = make("section", { class: "values-panel", "aria-label": "Values" },
    make("h3", { text: "Values" }),
    make("div", { class: "acts" }, search, group, make("span", { class: "soft", text: "chosen to" }), to, move), told, list);
  const say = () => { move.disabled = !picked.size || REPORT.readOnly || current().status === "signed"; move.textContent = picked.size ? `Move ${picked.size}` : "Move"; };
  const fillGroups = () => {
    const parts = current().p.filter((part) => !part.x);
    const keep = [group.value, to.value];
    group.replaceChildren(make("option", { value: "", text: "all groups" }), ...parts.map((part) => make("option", { value: part.k, text: "in " + part.t })));
    to.replaceChildren(...parts.map((part) => make("option", { value: part.k, text: part.t })), make("option", { value: "new", text: "a group of their own" }));
    [group.value, to.value] = keep;
    if (group.selectedIndex < 0) group.value = "";
    if (to.selectedIndex < 0) to.selectedIndex = 0;
  };
  let asked = 0;
  const refresh = async () => {
    asked += 1;
    const mine = asked;
    fillGroups();
    let found;
    try { found = await get("/api/values", { name: current().n, q: search.value, group: group.value }); } catch (error) { toast(error.message); return; }
    if (mine !== asked) return;
    const known = new Map(current().p.map((part) => [part.k, part.t]));
    told.textContent = found.n > found.values.length ? `${whole.format(found.n)} values, the ${found.values.length} most frequent shown` : `${whole.format(found.n)} values`;
    list.replaceChildren(...found.values.map((value) => itemOf(value, known, picked, say)));
    for (const i of [...picked]) if (!found.values.some((value) => value.i === i)) picked.delete(i);
    say();
  };
  let later = 0;
  search.addEventListener("input", () => { clearTimeout(later); later = setTimeout(refresh, 120); });
  group.addEventListener("change", refresh);
  node.addEventListener("refresh", refresh);
  move.addEventListener("click", async () => {
    const values = [...picked];
    picked.clear();
    if (to.value !== "new") { await act({ do: "move", values, to: Number(to.value) }); return; }
    const homes = new Set([...list.children].filter((item) => values.includes(Number(item.dataset.value))).map((item) => Number(item.dataset.group)));
    if (homes.size !== 1) { toast("Values of one group can get a group of their own; these are of several."); return; }
    await act({ do: "divide", part: [...homes][0], values });
  });
  return node;
};
const itemOf = (value, known, picked, say) => {
  const box = make("input", { type: "checkbox", checked: picked.has(value.i), "aria-label": value.t, onchange: () => {
    if (box.checked) picked.add(value.i);
    else picked.delete(value.i);
    say();
  } });
  const item = make("li", { draggable: !REPORT.readOnly ? "true" : null, "data-value": value.i, "data-group": value.g, class: "g" + (value.g % 8) },
    make("label", {}, box, data(value.t, "name"), make("small", { class: "soft", text: `${count(value.w)} rows${value.rate === null ? "" : ", " + percent(value.rate)} · ${known.get(value.g) ? "group " + value.g : ""}` })));
  item.addEventListener("dragstart", (event) => {
    const values = picked.has(value.i) ? [...picked] : [value.i];
    event.dataTransfer.setData("application/json", JSON.stringify(values));
    event.dataTransfer.effectAllowed = "move";
  });
  return item;
};
