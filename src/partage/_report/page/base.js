/* What every page of partage shares: elements, numbers, text that fits. */
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const isOne = (n) => Math.abs(n) === 1;

const fill = (node, attributes, children) => {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const data = (text, name) => make("span", { class: "data" + (name ? " " + name : ""), text });

/* ---- numbers ---- */
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const sum = (list) => list.reduce((total, x) => total + x, 0);
const count = (x) => (Number.isInteger(x) ? whole.format(x) : x.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const counted = (n, noun) => count(n) + " " + noun + (isOne(n) ? "" : "s");
const percent = (share) => (100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 1) + "%";
const signed = (x, digits = 3) => {
  const text = Math.abs(x).toFixed(digits);
  return (Number(text) === 0 ? "" : x < 0 ? "−" : "+") + text;
};
const fixed = (x, digits = 3) => {
  const text = Math.abs(x).toFixed(digits);
  return (Number(text) !== 0 && x < 0 ? "−" : "") + text;
};
const plain = (x) => {
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4) return x.toExponential(2).replace("e+", "e");
  return Number(x.toPrecision(size >= 1e4 ? 6 : 4)).toLocaleString("en", { maximumFractionDigits: 6 });
};
const moment = (ms, span, zone) => {
  const clock = zone === "UTC" ? new Date(ms).toISOString() : new Date(ms).toLocaleString("sv", { timeZone: zone });
  return span > 4 * 864e5 ? clock.slice(0, 10) : clock.slice(5, 16).replace("T", " ");
};

/* ---- text that fits ---- */
const pencil = document.createElement("canvas").getContext("2d");
let font = "";
const measure = (text) => {
  if (!font) font = "13px " + getComputedStyle(document.body).fontFamily;
  pencil.font = font;
  return pencil.measureText(text).width;
};
const fit = (text, width) => {
  if (measure(text) <= width) return text;
  let [low, high] = [0, Math.min(text.length, 400)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(text.slice(0, middle) + "…") <= width) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low) + "…";
};
const ticks = (low, high, n) => {
  const raw = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((k) => k >= raw * 0.999) || raw;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9) && found.length < 50; k += 1) found.push(k * step);
  return found;
};

/* ---- light and dark ---- */
const dress = (isDark) => {
  root.dataset.theme = isDark ? "dark" : "light";
  const button = byId("theme");
  button.setAttribute("aria-pressed", String(isDark));
  button.textContent = isDark ? "Light" : "Dark";
};
const startTheme = () => {
  let kept = null;
  try { kept = localStorage.getItem("partage-theme"); } catch { /* no storage for files in some browsers */ }
  dress(kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  byId("theme").addEventListener("click", () => {
    dress(root.dataset.theme !== "dark");
    try { localStorage.setItem("partage-theme", root.dataset.theme); } catch { /* as above */ }
  });
};

/* A table that is wider than its place scrolls, and says so. */
const scrolling = (table) => {
  const place = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" }, table);
  const hint = make("p", { class: "scroll-hint", "aria-hidden": "true", text: "scroll →" });
  const both = make("div", { class: "scrolling" }, hint, place);
  const look = () => {
    const rest = place.scrollWidth - place.clientWidth - place.scrollLeft;
    both.classList.toggle("has-more", rest > 4);
  };
  place.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(place);
  return both;
};
