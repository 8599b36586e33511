/* The parts of a column: one bar each, of the rate of a class, its evidence, or all shares. */
const REPORT = JSON.parse(byId("numbers").textContent);
const { classes, prior, columns, samples } = REPORT;
const isTwo = classes.length === 2;

/* A measure gives the number of a part, its ends, that of all rows, and how it is written. */
const measures = {
  rate: {
    title: (j) => "Rate of " + classes[j],
    isUsable: classes.length > 1,
    isOfClass: true,
    value: (part, j) => part.c[j] / (sum(part.c) || 1),
    ends: (part, j) => part.i && part.i[j],
    ofSample: (counts, j) => (sum(counts) ? counts[j] / sum(counts) : null),
    base: (j) => prior[j],
    show: percent,
    colour: (x, j) => "f" + j,
    key: "interval",
  },
  woe: {
    title: (j) => (isTwo ? "Weight of evidence" : "Weight of evidence for " + classes[j]),
    isUsable: columns.some((column) => column.p.some((part) => part.w && part.w.length)),
    isOfClass: !isTwo,
    value: (part, j) => (part.w ? part.w[isTwo ? 0 : j] ?? 0 : 0),
    ends: () => null,
    ofSample: () => null,
    base: () => 0,
    show: (x) => signed(x, 2),
    colour: (x, j) => (x * REPORT.sign >= 0 ? "f" + j : isTwo ? "f" + (1 - j) : "rows"),
    key: "woe",
  },
  shares: { title: () => "Shares of the classes", isUsable: classes.length > 1, isOfClass: false },
};
const state = {
  measure: REPORT.measure,
  chosen: REPORT.event === null ? classes.length - 1 : REPORT.event,
  order: "",
};
const usable = () => Object.entries(measures).filter(([, found]) => found.isUsable);

const partInfo = (part) => ({
  title: part.t,
  note: counted(part.r, "row") + ", " + percent(part.s) + " of all",
  lines: part.lines || part.c.map((n, j) => [classes[j], "f" + j, count(n), percent(n / (sum(part.c) || 1))]),
});
const ordered = (column) => {
  const found = column.p.map((part, k) => [part, k]);
  const { value } = measures[state.measure];
  if (state.order === "rows") found.sort(([a], [b]) => b.r - a.r);
  else if (state.order === "value" && value) found.sort(([a], [b]) => value(b, state.chosen) - value(a, state.chosen));
  else if (state.order === "value") found.sort(([a], [b]) => b.c[state.chosen] / sum(b.c) - a.c[state.chosen] / sum(a.c));
  return found;
};
const layoutOf = (parts, width) => {
  const isNarrow = width < 560;
  const room = isNarrow ? 0 : Math.min(Math.max(...parts.map(([p]) => measure(p.t))) + 14, width * 0.34);
  const side = isNarrow ? 58 : 136;
  return { isNarrow, room, wide: width - room - side, tall: isNarrow ? 50 : 34, top: isNarrow ? 20 : 3, high: isNarrow ? 24 : 26, width };
};
/* The name of the part on the left, its rows on the right, and a light ground that answers the pointer. */
const rowOf = (part, k, layout, most) => {
  const { isNarrow, room, wide, tall, top, width } = layout;
  const y = k * tall;
  const group = draw("g");
  group.append(draw("rect", { x: -8, y: y - 1, width: width + 16, height: tall - 2, rx: 6, class: "halo" }));
  group.append(draw("text", { x: 0, y: isNarrow ? y + 15 : y + top + 18, class: "data" }, fit(part.t, isNarrow ? wide : room - 12)));
  if (!isNarrow) group.append(draw("rect", { x: room + wide + 12, y: y + top + 8, width: Math.max(part.r ? 1.5 : 0, (58 * part.s) / most), height: 10, rx: 2, class: "rows" }));
  group.append(draw("text", { x: width, y: y + top + 18, "text-anchor": "end", class: "soft" }, isNarrow ? percent(part.s) : whole.format(part.r)));
  return group;
};

const SHAPES = [(x, y) => `M${x} ${y - 6}L${x + 5} ${y}L${x} ${y + 6}L${x - 5} ${y}Z`, (x, y) => `M${x - 4.5} ${y - 4.5}h9v9h-9Z`, (x, y) => `M${x} ${y - 5.5}L${x + 5.5} ${y + 4.5}H${x - 5.5}Z`];
const MOST_MARKED = 3; // samples whose rates are drawn beside the bars
const drawBars = (column, width) => {
  const found = measures[state.measure];
  const j = state.chosen;
  const parts = ordered(column);
  const layout = layoutOf(parts, width);
  const { room, wide, tall, top, high } = layout;
  const marked = (column.s || []).slice(0, MOST_MARKED);
  const values = parts.map(([part]) => found.value(part, j));
  const ends = parts.map(([part]) => found.ends(part, j));
  const others = marked.flatMap((sample) => sample.c.map((counts) => found.ofSample(counts, j))).filter((x) => x !== null);
  const base = found.base(j);
  const every = [0, base, ...values, ...ends.flat().filter((x) => x !== null && x !== undefined), ...others];
  const [low, end] = [Math.min(...every), Math.max(...every)];
  const span = end - low || 1;
  const text = measure(found.show(-span)) + 10;
  const left = room + (low < 0 ? text : 0);
  const scale = (wide - text - (low < 0 ? text : 0)) / span;
  const at = (x) => left + (x - low) * scale;
  const svg = canvas(width, parts.length * tall + 26, `${found.title(j)} in the ${parts.length} parts of ${column.n}; the table below holds the same numbers. Use the arrow keys to step through the parts.`);
  const most = Math.max(...parts.map(([p]) => p.s), 1e-9);
  const numbers = []; // over the line of all rows
  const marks = parts.map(([part, k], i) => {
    const y = i * tall + top;
    const group = rowOf(part, i, layout, most);
    const value = values[i];
    const x = at(Math.min(0, value));
    group.append(draw("rect", { x: room, y, width: wide, height: high, rx: 3, class: "track" }));
    group.append(draw("rect", { x, y, width: Math.max(Math.abs(value) * scale, 1), height: high, rx: 2, class: found.colour(value, j) }));
    let edge = at(value);
    if (ends[i]) {
      const middle = y + high / 2;
      const [from, to] = [at(Math.max(ends[i][0], low)), at(ends[i][1])];
      group.append(draw("path", { d: `M${from} ${middle}H${to}M${from} ${middle - 4}V${middle + 4}M${to} ${middle - 4}V${middle + 4}`, class: "whisker" }));
      edge = Math.max(edge, to);
    }
    let first = Infinity; // of the marks of samples
    marked.forEach((sample, n) => {
      const rate = sample.c[k] && found.ofSample(sample.c[k], j);
      if (rate === null || rate === undefined) return;
      group.append(draw("path", { d: SHAPES[n](at(rate), y + high / 2), class: "sample" }));
      edge = Math.max(edge, at(rate) + 6);
      first = Math.min(first, at(rate) - 6);
    });
    const isLeft = value < 0;
    const inside = Math.min(at(ends[i] ? Math.max(ends[i][0], low) : value), first) - 8;
    if (marked.length && part.r && inside - at(0) > measure(found.show(value)) + 14)
      numbers.push(draw("text", { x: inside, y: y + high / 2 + 4.5, "text-anchor": "end", class: "value inside n" + j }, found.show(value)));
    else numbers.push(draw("text", { x: isLeft ? at(value) - 6 : edge + 7, y: y + high / 2 + 4.5, "text-anchor": isLeft ? "end" : "start", class: "value" }, part.r ? found.show(value) : "–"));
    svg.append(group);
    return { node: group, info: partInfo(part) };
  });
  const foot = parts.length * tall;
  svg.append(draw("line", { x1: at(base), x2: at(base), y1: 0, y2: foot, class: "mean" }), ...numbers);
  const note = "all rows: " + found.show(base);
  const half = measure(note) / 2;
  svg.append(draw("text", { x: Math.max(half, Math.min(at(base), width - half - 70)), y: foot + 15, "text-anchor": "middle", class: "soft" }, note));
  svg.append(draw("text", { x: width, y: foot + 15, "text-anchor": "end", class: "soft" }, layout.isNarrow ? "share" : "rows"));
  bringToLife(svg, marks);
  return svg;
};

/* Two classes write at the two ends, away from the line that marks all rows. */
const beside = (j, left, wide, n) =>
  n > 2 ? { x: left + wide / 2, "text-anchor": "middle" } : j ? { x: left + wide - 8, "text-anchor": "end" } : { x: left + 8 };
const stackAcross = (group, counts, x, y, width, height, total, withText) => {
  let left = x;
  counts.forEach((n, j) => {
    const wide = (width * n) / (total || 1);
    if (wide <= 0) return;
    group.append(draw("rect", { x: left, y, width: wide, height, class: "gap f" + j }));
    const text = percent(n / total);
    if (withText && wide > measure(text) + 12)
      group.append(draw("text", { ...beside(j, left, wide, counts.length), y: y + height / 2 + 4.5, class: "inside n" + j }, text));
    left += wide;
  });
};
const drawShares = (column, width) => {
  const parts = ordered(column);
  const layout = layoutOf(parts, width);
  const { room, wide, tall, top, high } = layout;
  const svg = canvas(width, parts.length * tall + 26, `Shares of ${classes.join(", ")} in the ${parts.length} parts of ${column.n}; the table below holds the same numbers. Use the arrow keys to step through the parts.`);
  const most = Math.max(...parts.map(([p]) => p.s), 1e-9);
  const marks = parts.map(([part], i) => {
    const group = rowOf(part, i, layout, most);
    group.append(draw("rect", { x: room, y: i * tall + top, width: wide, height: high, rx: 3, class: "track" }));
    stackAcross(group, part.c, room, i * tall + top, wide, high, sum(part.c), true);
    svg.append(group);
    return { node: group, info: partInfo(part) };
  });
  const foot = parts.length * tall;
  if (isTwo) {
    const x = room + wide * prior[0];
    svg.append(draw("line", { x1: x, x2: x, y1: 0, y2: foot, class: "mean" }));
    svg.append(draw("text", { x, y: foot + 15, "text-anchor": "middle", class: "soft" }, "all rows: " + percent(prior[0]) + " " + fit(classes[0], 110)));
  }
  svg.append(draw("text", { x: width, y: foot + 15, "text-anchor": "end", class: "soft" }, layout.isNarrow ? "share" : "rows"));
  bringToLife(svg, marks);
  return svg;
};
const drawParts = (column, width) => (measures[state.measure].draw || (state.measure === "shares" ? drawShares : drawBars))(column, width);

/* A thumbnail: parts as wide as their rows, as high as the rate within the range of the column. */
const drawShape = (column, width = 96, high = 24) => {
  const svg = draw("svg", { width, height: high, viewBox: `0 0 ${width} ${high}`, preserveAspectRatio: "none", "aria-hidden": "true", class: "thumb" });
  const found = measures[REPORT.measure];
  const values = found.value && column.p.map((part) => found.value(part, state.chosen));
  const [low, end] = found.value ? [Math.min(0, ...values), Math.max(...values, found.base(state.chosen), 1e-9)] : [0, 1];
  const at = (x) => high - 1 - ((high - 2) * (x - low)) / (end - low);
  let x = 0;
  column.p.forEach((part, k) => {
    const wide = Math.max(part.r ? 1.5 : 0, width * part.s);
    const shown = wide > 3 && column.p.length > 1 ? wide - 1 : wide;
    if (found.value) {
      const [y, zero] = [at(values[k]), at(Math.max(0, low))];
      svg.append(draw("rect", { x, y: Math.min(y, zero), width: shown, height: Math.max(Math.abs(zero - y), 0.8), class: found.colour(values[k], state.chosen) + (part.x ? " aside" : "") }));
    } else {
      let y = high;
      part.c.forEach((n, j) => {
        const tall = (high * n) / (sum(part.c) || 1);
        y -= tall;
        if (tall > 0) svg.append(draw("rect", { x, y, width: shown, height: tall, class: "f" + j }));
      });
    }
    x += wide;
  });
  if (found.value) svg.append(draw("line", { x1: 0, x2: width, y1: at(found.base(state.chosen)), y2: at(found.base(state.chosen)), class: "mean" }));
  return svg;
};
