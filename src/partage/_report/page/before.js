/* A column before its parts: a histogram with the cuts, or the most frequent values. */
const SCALES = { log: Math.log, log1p: Math.log1p };
const BACK = { log: Math.exp, log1p: Math.expm1 };
const powers = (from, to, scale) => {
  const found = scale === "log1p" && from <= 0 ? [0] : [];
  for (let power = Math.floor(Math.log10(Math.max(from, 1e-12))); power <= Math.log10(to); power += 1)
    for (const k of [1, 2, 5]) if (k * 10 ** power >= from && k * 10 ** power <= to) found.push(k * 10 ** power);
  return found;
};
const spread = (places, at, text) => {
  const kept = [];
  let last = -Infinity;
  for (const place of places) {
    const half = measure(text(place)) / 2;
    if (at(place) - half < last + 14) continue;
    kept.push(place);
    last = at(place) + half;
  }
  return kept;
};
const drawBefore = (column, width) => (column.b.k === "values" ? drawValues(column, width) : drawNumbers(column, width));
const drawNumbers = (column, width) => {
  const { k, e: edges, c: counts, t: isTime, z: zone, lo, hi, f: scale } = column.b;
  const [high, left, top] = [180, 46, column.q || column.b.q ? 36 : 22];
  const isSingle = k === "numbers";
  let [from, to] = [edges[0], edges[edges.length - 1]];
  const least = isSingle ? Math.min(...edges.slice(1).map((x, i) => x - edges[i]), (to - from) || 1) : 0;
  if (isSingle) { from -= least / 2; to += least / 2; }
  const bend = SCALES[scale] || ((x) => x);
  const [start, span] = [bend(from), bend(to) - bend(from)];
  const at = (x) => left + ((width - left - 8) * (bend(x) - start)) / span;
  const back = (x) => (BACK[scale] || ((place) => place))(start + ((x - left) * span) / (width - left - 8));
  const most = Math.max(...counts.map(sum), 1);
  const up = (n) => (high * n) / most;
  const shown = (x) => (isTime ? moment(x, to - from, zone) : plain(x));
  const svg = canvas(width, top + high + 40, `Distribution of ${column.n}${REPORT.isNumber ? "" : " by class"} before it was cut${column.cuts.length ? ", with its cuts" : ""}; a table of it stands below. Use the arrow keys to step through it.`);
  for (const tick of ticks(0, most, 4)) {
    const y = top + high - up(tick);
    svg.append(draw("line", { x1: left, x2: width - 8, y1: y, y2: y, class: "axis" }));
    svg.append(draw("text", { x: left - 8, y: y + 4, "text-anchor": "end", class: "soft" }, tick >= 1e4 ? tick / 1e3 + "k" : plain(tick)));
  }
  const spans = [];
  const marks = counts.map((row, i) => {
    const size = isSingle ? Math.min(Math.max(3, at(from + least) - at(from) - 2), 46) : 0;
    const x = isSingle ? at(edges[i]) - size / 2 : at(edges[i]);
    const wide = isSingle ? size : Math.max(1, at(edges[i + 1]) - x - 0.7);
    spans.push([x, x + wide]);
    const group = draw("g");
    group.append(draw("rect", { x, y: top, width: wide, height: high, class: "halo" }));
    let y = top + high;
    row.forEach((n, j) => {
      if (n <= 0) return;
      y -= up(n);
      group.append(draw("rect", { x, y, width: wide, height: Math.max(up(n), 0.6), class: REPORT.isNumber ? "pale" : "f" + j }));
    });
    svg.append(group);
    const title = isSingle ? shown(edges[i]) : "from " + shown(edges[i]) + " to " + shown(edges[i + 1]);
    return { node: group, info: { title, note: counted(sum(row), "row"), lines: REPORT.isNumber ? binLines(column.b.q, row, i) : classLines(row) } };
  });
  const frame = { at, from, to, top, high, right: width - 8, places: spans };
  if (REPORT.isNumber) drawRibbon(svg, column, frame);
  else if (column.q) drawBorders(svg, column.q, frame);
  let last = -99;
  for (const [cut, text] of column.cuts) {
    if (cut < from || cut > to) continue;
    const x = at(cut);
    svg.append(draw("line", { x1: x, x2: x, y1: top - 4, y2: top + high, class: "cut" }));
    const half = measure(text) / 2;
    if (x - half > last + 6 && x + half < width + 4) {
      svg.append(draw("text", { x, y: top - 8, "text-anchor": "middle", class: "soft" }, text));
      last = x + half;
    }
  }
  const places = isTime ? [0, 1, 2, 3, 4].map((i) => from + ((to - from) * i) / 4) : scale ? spread(powers(from, to, scale), at, shown) : ticks(from, to, Math.max(2, width / 110));
  places.forEach((x, i) => {
    const anchor = isTime && i === 0 ? "start" : isTime && i === 4 ? "end" : "middle";
    if (!isTime || width > 460 || i % 2 === 0) svg.append(draw("text", { x: at(x), y: top + high + 17, "text-anchor": anchor, class: "soft" }, shown(x)));
  });
  const beyond = [];
  if (lo) beyond.push(counted(lo, "row") + " below");
  if (hi) beyond.push(counted(hi, "row") + " above");
  if (column.cuts.some(([cut]) => cut < from || cut > to)) beyond.push("cuts there too");
  const notes = [...(scale ? ["logarithmic axis"] : []), ...(beyond.length ? ["not shown: " + beyond.join(", ")] : [])];
  if (notes.length) svg.append(draw("text", { x: width - 8, y: top + high + 35, "text-anchor": "end", class: "soft" }, notes.join("; ")));
  bringToLife(svg, marks);
  svg.frame = { ...frame, back };
  return svg;
};
const classLines = (row) => row.map((n, j) => [classes[j] ?? "rows", "f" + j, count(n), percent(n / (sum(row) || 1))]);

/* Over the bars: where each cut lies with 90 %, and the averaged share of a class on its own scale. */
const drawBorders = (svg, { s: stretches, x: places, y: shares }, { at, from, to, top, high, right }) => {
  const inside = (x) => at(Math.min(Math.max(x, from), to));
  for (const [low, end] of stretches) {
    const x = inside(low);
    const wide = Math.max(inside(end) - x, 1);
    svg.append(draw("rect", { x, y: top, width: wide, height: high, class: "band" }));
  }
  const shown = isTwo ? [state.chosen] : classes.map((_, j) => j);
  for (const j of shown) {
    const level = (row) => (top + high - high * row[j]).toFixed(1);
    const path = places.reduce((d, x, i) => d + `H${inside(x).toFixed(1)}V${level(shares[i + 1])}`, `M${inside(from)} ${level(shares[0])}`) + `H${inside(to)}`;
    svg.append(draw("path", { d: path, class: "curve-edge" }), draw("path", { d: path, class: isTwo ? "curve" : "curve s" + j }));
  }
  const named = isTwo ? "line: averaged share of " + fit(classes[state.chosen], 120) + " (0 to 100 %)" : "lines: averaged shares (0 to 100 %)";
  const grey = stretches.length ? "; grey: a cut lies there with 90 %" : "";
  tellMarks(svg, right, named + grey, (isTwo ? "line: averaged share" : "lines: averaged shares") + (grey && "; grey: a cut, 90 %"));
};
/* What the marks over the bars are, in the words that there is room for. */
const tellMarks = (svg, right, ...texts) => {
  const text = texts.find((one) => measure(one) <= right) ?? fit(texts.at(-1), right);
  svg.append(draw("text", { x: right, y: 11, "text-anchor": "end", class: "soft" }, text));
};
const drawValues = (column, width) => {
  const { l: labels, c: counts, g: groups, n: others } = column.b;
  const room = Math.min(Math.max(...labels.map(measure)) + 14, width * 0.36);
  const side = width < 560 ? 62 : 124;
  const wide = width - room - side;
  const most = Math.max(...counts.map(sum), 1);
  const svg = canvas(width, counts.length * 26 + (others ? 26 : 4), `The most frequent values of ${column.n}${REPORT.isNumber ? "" : " by class"} before they were grouped; a table of them stands below. Use the arrow keys to step through them.`);
  const marks = counts.map((row, i) => {
    const group = draw("g");
    const total = sum(row);
    group.append(draw("rect", { x: -8, y: i * 26, width: width + 16, height: 25, rx: 5, class: "halo" }));
    group.append(draw("text", { x: 0, y: i * 26 + 17, class: "data" }, fit(labels[i], room - 12)));
    stackAcross(group, row, room, i * 26 + 4, (wide * total) / most, 17, total, false);
    group.append(draw("text", { x: room + (wide * total) / most + 8, y: i * 26 + 17, class: "soft" }, whole.format(total)));
    if (side > 100) group.append(draw("text", { x: width, y: i * 26 + 17, "text-anchor": "end", class: "soft" }, "group " + groups[i]));
    svg.append(group);
    return { node: group, info: { title: labels[i], note: counted(total, "row") + ", group " + groups[i], lines: classLines(row) } };
  });
  if (others) svg.append(draw("text", { x: 0, y: counts.length * 26 + 18, class: "soft" }, `and ${whole.format(others)} more values`));
  bringToLife(svg, marks);
  return svg;
};
