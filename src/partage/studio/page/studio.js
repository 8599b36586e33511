/* One column at a time, or a view of all; what is open is in the address. */
import { byId, make, startTheme, root, REPORT, classes, measures } from "./shared.js";
import { enter, get, post, hear, toast } from "./api.js";
import { startList, mark, update, rows, visible, addressOf } from "./list.js";
import { openColumn, refresh, current, redraw } from "./column.js";
import { showCard, showPairs, showExport, tellCard } from "./card.js";
import { startKeys } from "./keys.js";

measures.woe.isUsable = classes.length > 1; // the list knows no evidence
const VIEWS = { "#/card": showCard, "#/pairs": showPairs, "#/export": showExport };

export const saved = ({ isSaved, trouble }) => {
  byId("saved").textContent = REPORT.readOnly ? "read-only" : isSaved ? "saved" : "in the journal";
  byId("trouble").textContent = trouble;
  byId("trouble").hidden = !trouble;
};
export const go = (address, isStep = false) => {
  history[isStep ? "replaceState" : "pushState"](null, "", address);
  return open();
};
const nameOf = (address) => {
  try { return decodeURIComponent(address.slice(1)); } catch { return address.slice(1); }
};
const open = async () => {
  const view = VIEWS[location.hash];
  for (const link of document.querySelectorAll(".view")) link.setAttribute("aria-current", String(link.getAttribute("href") === location.hash));
  root.classList.toggle("at-column", location.hash.length > 1);
  try {
    if (view) { mark(""); openColumn(null); await view(byId("pane")); return; }
    const name = nameOf(location.hash);
    const first = rows.has(name) ? name : visible()[0];
    mark(first);
    await openColumn(first);
  } catch (error) { toast(error.message); }
};
export const step = (by) => {
  const names = visible();
  const at = names.indexOf(current()?.n);
  const next = names[Math.max(0, Math.min(names.length - 1, at + by))];
  if (next !== undefined) go(addressOf(next), true);
};
export const save = async () => {
  try { saved(await post("/api/save", {})); toast("Saved", "good"); } catch (error) { toast(error.message); saved({ isSaved: false, trouble: error.message }); }
};

const start = async () => {
  startTheme();
  await enter();
  startList(go);
  saved(REPORT);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.view, a.inside");
    if (!link) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
  byId("save").addEventListener("click", save);
  byId("save").disabled = REPORT.readOnly;
  addEventListener("popstate", open);
  addEventListener("resize", redraw);
  const again = async (column) => {
    const desk = await get("/api/desk");
    desk.columns.forEach(update);
    saved(desk);
    tellCard();
    if (!column || column === current()?.n) await refresh();
  };
  hear(again);
  addEventListener("pagehide", () => {
    if (!REPORT.readOnly) navigator.sendBeacon("/api/save", new Blob(["{}"], { type: "application/json" }));
  });
  startKeys({ step, save });
  if (REPORT.notes.length) byId("columns").prepend(make("ul", { class: "remarks" }, ...REPORT.notes.map((text) => make("li", { class: "warning", text }))));
  await open();
  tellCard();
  root.dataset.ready = "true";
};
start().catch((error) => toast(error.message));
