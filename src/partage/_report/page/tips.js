/* Boxes that explain: what is under the pointer, what a word means. */
const GLOSSARY = {
  level: "The share of the description of the target that the parts save: 0 means no information, 1 that the column determines the target.",
  part: "An interval of numbers or a group of values, also called a bin. (a, b] holds the values above a up to and including b.",
  event: "The class whose rate is shown. Choose another one with positive= in Python, or --positive.",
  woe: "Weight of evidence: compares the odds of the event in a part with those in all rows. Above 0 the event is more frequent.",
  iv: "Information value: how far apart the distributions of the event and of the other class are over the parts. The sum over the parts is that of the column.",
  gini: "2 AUC − 1 of the event rates of the parts: 0 is chance, 1 a perfect order.",
  bits: "What a part saves of the description of the target, minus an even share of the price of naming the parts. A part that is close to all rows pays that price and saves little, so that its number may be negative: the sum is what counts.",
  interval: "The 95 % interval of the rate (Wilson's), or of the mean of a number, from the rows of the part.",
  mean: "The mean of the target in the rows of the part.",
  drift: "The highest population stability index (PSI) between the fitted rows and the other samples: above 0.1 worth a look, above 0.25 a shift.",
  psi: "Population stability index of the shares of the parts: above 0.1 worth a look, above 0.25 a shift.",
  missing: "Rows without a value. They have a part of their own unless they were merged.",
  garbage: "The group of the rare values, which new values join.",
  expected: "The level that the fitted shares would have at as many rows: fewer rows have a lower level even if nothing has changed.",
  proof: "Proven: no other partition costs less. Else the most by which the optimum can be lower, in bits.",
  "bits-of-pair": "What the parts save of the description of the target: those of the grid of both columns, and the best parts of each alone.",
  synergy: "Bits that both columns save together minus those they save alone. Below 0 they repeat each other, or cells cost more than they are worth.",
  redundant: "Another, better column already says what this one says.",
};
const tip = byId("tip");
const live = byId("live");
const placeTip = (x, y) => {
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(6, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
  tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(6, y - box.height - 12) : y + 16) + "px";
};
const showTip = (info, x, y) => {
  const table = make("table");
  for (const [label, colour, ...cells] of info.lines || []) {
    const head = make("td", { class: "data", text: " " + label });
    if (colour) head.prepend(make("i", { class: colour }));
    const row = table.insertRow();
    row.append(head, ...cells.map((text) => make("td", { class: "num", text })));
  }
  tip.replaceChildren(make("b", { class: "data", text: info.title }), make("span", { text: info.note }), table);
  placeTip(x, y);
};
const hideTip = () => { tip.hidden = true; };
const describe = (info) =>
  info.title + ": " + info.note + (info.lines || []).map(([label, , ...cells]) => "; " + label + " " + cells.join(" ")).join("");

/* A word that explains itself under the pointer or with the focus. */
const explained = (node, key) => {
  const show = (x, y) => { tip.replaceChildren(make("span", { text: GLOSSARY[key] })); placeTip(x, y); };
  node.addEventListener("pointerenter", (event) => show(event.clientX, event.clientY));
  node.addEventListener("pointerleave", hideTip);
  node.addEventListener("focus", () => {
    const box = node.getBoundingClientRect();
    if (node.matches(":focus-visible")) show(box.left, box.bottom - 8);
  });
  node.addEventListener("blur", hideTip);
  return node;
};
const term = (text, key) => explained(make("span", { class: "term", tabindex: 0, text, "aria-description": GLOSSARY[key] }), key);

/* Marks of a chart answer the pointer, and the arrow keys once the chart has the focus. */
const bringToLife = (svg, marks) => {
  let at = -1;
  const choose = (k) => {
    if (at >= 0) marks[at].node.classList.remove("on");
    at = k;
    if (k >= 0) marks[k].node.classList.add("on");
  };
  marks.forEach((mark, k) => {
    mark.node.classList.add("mark");
    mark.node.addEventListener("pointermove", (event) => { choose(k); showTip(mark.info, event.clientX, event.clientY); });
    mark.node.addEventListener("pointerleave", () => { choose(-1); hideTip(); });
  });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !marks.length) return;
    event.preventDefault();
    event.stopPropagation();
    choose((at + step + marks.length) % marks.length);
    const box = marks[at].node.getBoundingClientRect();
    showTip(marks[at].info, box.left + Math.min(box.width / 2, 260), box.bottom - 6);
    live.textContent = describe(marks[at].info);
  });
  svg.addEventListener("blur", () => { choose(-1); hideTip(); });
};
const canvas = (width, height, label) =>
  draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", tabindex: 0, "aria-label": label });
