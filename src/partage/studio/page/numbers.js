/* What an edit does: the numbers now, those of the optimum, and the difference; broken limits. */
import { make, fixed, signed, percent, whole, term, REPORT } from "./shared.js";

const LINES = [
  ["bits", "Bits saved", (x) => fixed(x, 1), 1, "bits"],
  ["level", "Level", (x) => fixed(x, 4), 4, "level"],
  ["iv", "IV", (x) => fixed(x, 4), 4, "iv"],
  ["gini", "Gini", (x) => fixed(x, 4), 4, "gini"],
  ["parts", "Parts", (x) => String(x), 0, "part"],
];
const SAMPLE = [
  ["level", "level", (x) => fixed(x, 4), 4, "level"],
  ["gini", "Gini", (x) => fixed(x, 4), 4, "gini"],
  ["psi", "PSI", (x) => fixed(x, 4), 4, "psi"],
];
const TRENDS = { ascending: "rises", descending: "falls", peak: "peak", valley: "valley", none: "mixed" };
const line = (key, title, now, start, change, show, digits, word) => {
  if (now === null || now === undefined) return null;
  const way = change === null || Math.abs(change) < 0.5 * 10 ** -digits ? "" : change > 0 ? "up" : "down";
  return make("tr", { "data-fact": key },
    make("th", { scope: "row" }, word ? term(title, word) : title),
    make("td", { class: "num now", text: show(now) }),
    make("td", { class: "num soft", text: show(start) }),
    make("td", { class: "num change " + way, text: way ? signed(change, digits) : "" }));
};
const said = (key, title, now, start) => make("tr", { "data-fact": key },
  make("th", { scope: "row", text: title }),
  make("td", { class: "num now", text: now }), make("td", { class: "num soft", text: start }),
  make("td", { class: "num change " + (now === start ? "" : "differs"), text: now === start ? "" : "≠", title: now === start ? null : "changed" }));

export const numbersTable = (column) => {
  const { facts, start, changes } = column;
  const rows = LINES.map(([key, title, show, digits, word]) => line(key, title, facts[key], start[key], changes[key], show, digits, word));
  if (facts.trend) rows.push(said("trend", "Trend", TRENDS[facts.trend], TRENDS[start.trend]));
  rows.push(said("least", "Smallest part", percent(facts.least), percent(start.least)));
  if (facts.events !== null) rows.push(said("events", "Fewest events", whole.format(facts.events), whole.format(start.events)));
  facts.samples.forEach((sample, i) => SAMPLE.forEach(([key, title, show, digits, word]) =>
    rows.push(line(`${sample.name}-${key}`, `${sample.name}: ${title}`, sample[key], start.samples[i][key], changes.samples[i][key], show, digits, word))));
  return make("section", { class: "box" },
    make("h3", { text: "Now and at the optimum" }),
    make("table", { class: "numbers", id: "facts" },
      make("thead", {}, make("tr", {}, ...["", "Now", "Optimum", "Change"].map((text, i) => make("th", { scope: "col", class: i ? "num" : null, text })))),
      make("tbody", {}, ...rows.filter(Boolean))));
};
const WORDS = {
  n_parts: (x) => `exactly ${x} parts are asked for`,
  max_parts: (x) => `at most ${x} parts are asked for`,
  min_part_size: (x) => `every part must hold ${x < 1 ? percent(x) : whole.format(x)} of the rows at least`.replace("of the rows", x < 1 ? "of the rows" : "rows"),
  min_class_count: (x) => `every part must hold ${Array.isArray(x) ? x.join(", ") : x < 1 ? percent(x) : whole.format(x)} of each class at least`,
  monotonic: (x) => `the trend must be ${x}`,
  user_cuts: (x) => `locked borders must stay at ${x.join(", ")}`,
};
export const brokenList = (column) => (column.broken.length
  ? [make("ul", { class: "remarks", id: "broken" }, ...column.broken.map(({ name, asked }) => make("li", { class: "warning", "data-limit": name, text: `${name}: ${(WORDS[name] || String)(asked)}.` })))]
  : []);
