/* One column at a time, by its name in the address; keys; paper. */
const pane = byId("pane");
const isFramed = location.href.startsWith("about:"); // in a notebook, where an address leads elsewhere
let current = -2; // a column, or -1 for the overview

const open = (index) => {
  if (current >= 0) {
    rows[current].classList.remove("open");
    rows[current].querySelector("a").removeAttribute("aria-current");
  }
  current = index;
  hideTip();
  root.classList.toggle("at-column", index >= 0);
  byId("overview").setAttribute("aria-current", String(index < 0));
  const card = index >= 0 ? makeCard(index) : isComparison ? makeComparison() : makeOverview();
  pane.replaceChildren(card);
  if (index < 0) return;
  rows[index].classList.add("open");
  rows[index].querySelector("a").setAttribute("aria-current", "true");
  drawCharts(card, columns[index]);
};
const isNarrow = () => innerWidth <= 1080;
const place = (index) => {
  if (index >= 0) rows[index].scrollIntoView({ block: "nearest" });
  if (isNarrow()) scrollTo(0, 0);
  else if (pane.getBoundingClientRect().top < 0) pane.scrollIntoView({ block: "start" });
};
const read = (address) => {
  if (!address || address.startsWith("#/")) return -1; // the overview; a "/" in the name of a column is written otherwise
  let name = address.slice(1);
  try { name = decodeURIComponent(name); } catch { /* a percent sign that is none of an address */ }
  return indexOf.has(name) ? indexOf.get(name) : -1;
};
const showSection = (address) => {
  const section = address.startsWith("#/") && address.length > 2 ? byId(address.slice(2)) : null;
  if (section) section.scrollIntoView({ block: "start" });
};
/* A click makes an entry of the history, a step with the keys replaces it. */
const go = (address, isStep) => {
  if (!isFramed) {
    try { history[isStep ? "replaceState" : "pushState"](null, "", address); } catch { /* a sandbox may forbid it */ }
  }
  const index = read(address);
  open(index);
  place(index);
  showSection(address);
};
const step = (by) => {
  const visible = visibleRows();
  const at = visible.indexOf(rows[current]);
  const next = visible[Math.max(0, Math.min(visible.length - 1, at + by))];
  if (!next) return;
  go(addressOf(next.dataset.name), true);
  next.querySelector("a").focus({ preventScroll: true });
};
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const row = event.target.closest("#ranking tbody tr");
  const link = event.target.closest("a[href^='#']") || (row && row.querySelector("a"));
  if (!link || link.classList.contains("skip")) return;
  event.preventDefault();
  const from = current;
  go(link.getAttribute("href"), false);
  if (link.classList.contains("back") && from >= 0) rows[from].scrollIntoView({ block: "center" });
});
addEventListener("popstate", () => { open(read(location.hash)); place(current); showSection(location.hash); });

search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { search.value = ""; filter(); search.blur(); }
  const first = visibleRows()[0];
  if (event.key === "Enter" && first) go(addressOf(first.dataset.name), false);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  if (event.key === "/") {
    event.preventDefault();
    if (!search.checkVisibility()) go("#/", false);  // a narrow window shows the list or a column
    search.focus();
    search.select();
  }
  if (event.key === "j") step(1);
  if (event.key === "k") step(-1);
  if (event.key === "o") go("#/", true);
  if (event.key === "ArrowDown" && event.target.closest("#ranking")) { event.preventDefault(); step(1); }
  if (event.key === "ArrowUp" && event.target.closest("#ranking")) { event.preventDefault(); step(-1); }
  if (event.key === "d") byId("theme").click();
  if (event.key === "Escape") hideTip();
});

/* Paper has every column that the list shows. */
const MOST_PRINTED = 400;
const startPrint = () => {
  const sheet = byId("sheet");
  addEventListener("beforeprint", () => {
    const indexes = visibleRows().map((row) => Number(row.dataset.index));
    sheet.replaceChildren(...indexes.slice(0, MOST_PRINTED).map(makePrinted));
    open(-1);
  });
  addEventListener("afterprint", () => { sheet.replaceChildren(); open(read(location.hash)); });
  byId("print").addEventListener("click", () => print());
};
let waiting = 0;
let lastWidth = innerWidth;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (innerWidth !== lastWidth && current >= 0) drawCharts(pane.firstChild, columns[current]);
    lastWidth = innerWidth;
  }, 120);
});

root.classList.add("scripted");
startTheme();
startList();
if (isComparison) sortBy(heads.find((head) => head.dataset.key === "x"), "Drift", false);
startViews();
startPrint();
open(isFramed ? -1 : read(location.hash));
if (!isFramed) showSection(location.hash);
