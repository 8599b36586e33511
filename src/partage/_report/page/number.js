/* Charts of a target that is a number: boxes by part, the mean with its interval, a ribbon of quartiles. */
const amounts = (part) => part.a || {};
const known = (x) => x !== null && x !== undefined;
const shownAmount = (x) => (known(x) ? plain(x) : "–");
const fromTo = (low, high) => (known(low) ? plain(low) + " – " + plain(high) : "–");
const linesOf = (a) => [
  ["mean", "", shownAmount(a.mean)],
  ["95 % of the mean", "", fromTo(a.low, a.high)],
  ["median", "", shownAmount(a.median)],
  ["quartiles", "", fromTo(a.q25, a.q75)],
  ["5 % to 95 %", "", fromTo(a.q05, a.q95)],
];
const drawBoxes = (column, width) => {
  const parts = ordered(column);
  const layout = layoutOf(parts, width);
  const { room, wide, tall, top, high } = layout;
  const marked = (column.s || []).slice(0, MOST_MARKED);
  const others = marked.flatMap((sample) => sample.c.map((row) => row[0]));
  const every = [REPORT.all.mean, ...parts.flatMap(([part]) => ["q05", "q95", "mean", "low", "high"].map((name) => amounts(part)[name])), ...others].filter(known);
  const [low, end] = [Math.min(...every), Math.max(...every)];
  const text = measure(plain(end)) + 12;
  const scale = (wide - text) / (end - low || 1);
  const at = (x) => room + 4 + (Math.min(Math.max(x, low), end) - low) * scale;
  const svg = canvas(width, parts.length * tall + 44, `${REPORT.target} in the ${parts.length} parts of ${column.n}: boxes from the lower to the upper quartile, lines from 5 % to 95 %, the mean as a dot; the table below holds the same numbers. Use the arrow keys to step through the parts.`);
  const most = Math.max(...parts.map(([p]) => p.s), 1e-9);
  const marks = parts.map(([part, k], i) => {
    const y = i * tall + top;
    const middle = y + high / 2;
    const a = amounts(part);
    const group = rowOf(part, i, layout, most);
    group.append(draw("rect", { x: room, y, width: wide, height: high, rx: 3, class: "track" }));
    let edge = room + 4;
    if (known(a.q05)) {
      group.append(draw("path", { d: `M${at(a.q05)} ${middle}H${at(a.q95)}M${at(a.q05)} ${middle - 5}V${middle + 5}M${at(a.q95)} ${middle - 5}V${middle + 5}`, class: "tail" }));
      group.append(draw("rect", { x: at(a.q25), y: y + 4, width: Math.max(at(a.q75) - at(a.q25), 1), height: high - 8, rx: 2, class: "box" }));
      group.append(draw("line", { x1: at(a.median), x2: at(a.median), y1: y + 4, y2: y + high - 4, class: "median" }));
      if (known(a.low)) group.append(draw("path", { d: `M${at(a.low)} ${middle}H${at(a.high)}`, class: "mean-range" }));
      group.append(draw("circle", { cx: at(a.mean), cy: middle, r: 4, class: "dot" }));
      edge = Math.max(at(a.q95), at(a.mean) + 4, known(a.high) ? at(a.high) : 0);
    }
    marked.forEach((sample, n) => {
      const mean = sample.c[k] && sample.c[k][0];
      if (!known(mean)) return;
      group.append(draw("path", { d: SHAPES[n](at(mean), middle), class: "sample" }));
      edge = Math.max(edge, at(mean) + 6);
    });
    group.append(draw("text", { x: edge + 7, y: middle + 4.5, class: "value" }, shownAmount(a.mean)));
    svg.append(group);
    return { node: group, info: partInfo(part) };
  });
  const foot = parts.length * tall;
  const base = at(REPORT.all.mean);
  svg.append(draw("line", { x1: base, x2: base, y1: 0, y2: foot, class: "mean" }));
  for (const tick of ticks(low, end, Math.max(2, wide / 130)))
    svg.append(draw("text", { x: at(tick), y: foot + 15, "text-anchor": "middle", class: "soft" }, plain(tick)));
  svg.append(draw("text", { x: room, y: foot + 35, class: "soft" }, fit("dot: mean with 95 %; box: quartiles and median; line: 5 % to 95 %; dotted: mean of all rows, " + plain(REPORT.all.mean), width - room)));
  svg.append(draw("text", { x: width, y: foot + 15, "text-anchor": "end", class: "soft" }, layout.isNarrow ? "share" : "rows"));
  bringToLife(svg, marks);
  return svg;
};
const ofMean = {
  isUsable: REPORT.isNumber,
  isOfClass: false,
  value: (part) => amounts(part).mean ?? REPORT.all.mean,
  ends: (part) => (known(amounts(part).low) ? [amounts(part).low, amounts(part).high] : null),
  ofSample: (row) => row[0],
  base: () => REPORT.all.mean,
  show: plain,
  colour: () => "f0",
  key: "mean",
};
Object.assign(measures, {
  mean: { ...ofMean, title: () => "Mean of " + REPORT.target, draw: drawBoxes },
  bars: { ...ofMean, title: () => "Means as bars" },
});
if (REPORT.isNumber) for (const column of columns) for (const part of column.p) part.lines = linesOf(amounts(part));

const numberColumns = () => {
  const all = REPORT.all;
  const plainColumn = (title, name, key) => [title, key || "", (p) => shownAmount(amounts(p)[name]), shownAmount(all[name]), (p) => amounts(p)[name]];
  return [
    plainColumn("Mean", "mean", "mean"),
    ["95 %", "interval", (p) => fromTo(amounts(p).low, amounts(p).high), fromTo(all.low, all.high), null],
    plainColumn("Std", "std"), plainColumn("Min", "min"), plainColumn("Q25", "q25"), plainColumn("Median", "median"), plainColumn("Q75", "q75"), plainColumn("Max", "max"), plainColumn("Zeros", "zeros"),
  ];
};
const numberTiles = () => [["Mean", "mean"], ["Median", "median"], ["Std", "std"]].map(([title, name]) => tile(title + " of " + REPORT.target, shownAmount(REPORT.all[name])));
const binLines = (bins, row, i) => [["rows", "f0", count(row[0])], ...(bins ? [["median", "", shownAmount(bins[i][1])], ["quartiles", "", fromTo(bins[i][0], bins[i][2])]] : [])];

/* Over the bars: the quartiles of the target in each bin as a ribbon, its averaged mean as a line, where each cut lies. */
const drawRibbon = (svg, { b: before, q: borders }, { at, from, to, top, high, right, places }) => {
  const inside = (x) => at(Math.min(Math.max(x, from), to));
  const bins = before.q || [];
  const means = borders ? borders.y.map(([mean]) => mean) : [];
  const every = [...bins.flat(), ...means].filter(known);
  if (!every.length) return;
  const [low, end] = [Math.min(...every), Math.max(...every)];
  const up = (y) => (top + high - (high * (y - low)) / (end - low || 1)).toFixed(1);
  for (const [a, b] of borders ? borders.s : [])
    svg.append(draw("rect", { x: inside(a), y: top, width: Math.max(inside(b) - inside(a), 1), height: high, class: "band" }));
  const filled = bins.map((one, i) => [one, places[i]]).filter(([one]) => known(one[1]));
  if (filled.length) {
    const ahead = filled.map(([one, [a, b]]) => `L${a.toFixed(1)} ${up(one[2])}L${b.toFixed(1)} ${up(one[2])}`).join("");
    const back = [...filled].reverse().map(([one, [a, b]]) => `L${b.toFixed(1)} ${up(one[0])}L${a.toFixed(1)} ${up(one[0])}`).join("");
    svg.append(draw("path", { d: "M" + ahead.slice(1) + back + "Z", class: "ribbon" }));
    const middle = filled.map(([one, [a, b]]) => `L${a.toFixed(1)} ${up(one[1])}L${b.toFixed(1)} ${up(one[1])}`).join("");
    svg.append(draw("path", { d: "M" + middle.slice(1), class: "ribbon-middle" }));
  }
  if (borders) {
    const path = borders.x.reduce((d, x, i) => d + `H${inside(x).toFixed(1)}V${up(means[i + 1])}`, `M${inside(from)} ${up(means[0])}`) + `H${inside(to)}`;
    svg.append(draw("path", { d: path, class: "curve-edge" }), draw("path", { d: path, class: "curve" }));
  }
  svg.append(draw("text", { x: right, y: top + 11, "text-anchor": "end", class: "soft edge" }, plain(end)), draw("text", { x: right, y: top + high - 4, "text-anchor": "end", class: "soft edge" }, plain(low)));
  const told = (line, ribbon, grey) => [...(borders ? [line] : []), ...(filled.length ? [ribbon] : []), ...(borders && borders.s.length ? [grey] : [])].join("; ");
  tellMarks(svg, right,
    told("line: averaged mean of " + REPORT.target, "ribbon: its quartiles and median in each bin", "grey: a cut lies there with 90 %"),
    told("line: averaged mean", "ribbon: quartiles", "grey: a cut, 90 %"));
};
