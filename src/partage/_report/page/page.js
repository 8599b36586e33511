"use strict";
(() => {
  const root = document.documentElement;
  const { classes, prior, columns } = JSON.parse(document.getElementById("numbers").textContent);
  const rows = [...document.querySelectorAll("#ranking tbody tr")];
  const cards = [...document.querySelectorAll(".cards > .card")];
  const search = document.getElementById("search");
  const tip = document.getElementById("tip");
  const live = document.getElementById("live");
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  root.classList.add("scripted");

  /* ---- words and numbers ---- */
  const percent = (share) => (share > 0 && share < 0.01 ? (100 * share).toFixed(2) : (100 * share).toFixed(1)) + "%";
  const sum = (list) => list.reduce((total, x) => total + x, 0);
  const plain = (x) => {
    if (x === 0) return "0";
    const size = Math.abs(x);
    if (size >= 1e7 || size < 1e-4) return x.toExponential(2).replace("e+", "e");
    return Number(x.toPrecision(size >= 1e4 ? 6 : 4)).toLocaleString("en", { maximumFractionDigits: 6 });
  };
  const day = (ms, span, zone) => {
    const clock = zone === "UTC" ? new Date(ms).toISOString() : new Date(ms).toLocaleString("sv", { timeZone: zone });
    return span > 4 * 864e5 ? clock.slice(0, 10) : clock.slice(5, 16).replace("T", " ");
  };

  /* ---- drawing ---- */
  const draw = (name, attributes, ...children) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const pencil = document.createElement("canvas").getContext("2d");
  const measure = (text) => {
    pencil.font = "13px " + getComputedStyle(document.body).fontFamily;
    return pencil.measureText(text).width;
  };
  const fit = (text, width) => {
    if (measure(text) <= width) return text;
    let end = text.length;
    while (end > 1 && measure(text.slice(0, end) + "…") > width) end -= 1;
    return text.slice(0, end) + "…";
  };
  const ticks = (low, high, n) => {
    const raw = (high - low) / n;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((k) => k >= raw) || raw;
    const found = [];
    for (let k = Math.ceil(low / step); k * step <= high; k += 1) found.push(k * step);
    return found;
  };

  /* ---- the box that describes what is under the pointer ---- */
  const cell = (text, name) => Object.assign(document.createElement("td"), { textContent: text, className: name || "" });
  const showTip = (info, x, y) => {
    const title = Object.assign(document.createElement("b"), { textContent: info.title, className: "data" });
    const table = document.createElement("table");
    info.counts.forEach((count, j) => {
      const line = table.insertRow();
      const label = cell(" " + classes[j]);
      label.prepend(Object.assign(document.createElement("i"), { className: "f" + j }));
      line.append(label, cell(whole.format(count), "num"), cell(percent(count / (info.total || 1)), "num"));
    });
    const note = Object.assign(document.createElement("span"), { textContent: info.note });
    tip.replaceChildren(title, note, table);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(6, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
    tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(6, y - box.height - 12) : y + 16) + "px";
  };
  const hideTip = () => { tip.hidden = true; };
  const describe = (info) =>
    info.title + ": " + info.note + "; " + info.counts.map((c, j) => classes[j] + " " + percent(c / (info.total || 1))).join(", ");

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

  /* Two classes write at the two ends, away from the line that marks all rows. */
  const beside = (j, left, wide, n) =>
    n > 2 ? { x: left + wide / 2, "text-anchor": "middle" } : j ? { x: left + wide - 8, "text-anchor": "end" } : { x: left + 8 };
  const stackAcross = (group, counts, x, y, width, height, total, withText) => {
    let left = x;
    counts.forEach((count, j) => {
      const wide = (width * count) / (total || 1);
      if (wide <= 0) return;
      group.append(draw("rect", { x: left, y, width: wide, height, class: "gap f" + j }));
      const text = percent(count / total);
      if (withText && wide > measure(text) + 12)
        group.append(draw("text", { ...beside(j, left, wide, counts.length), y: y + height / 2 + 4.5, class: "inside n" + j }, text));
      left += wide;
    });
  };

  /* ---- after: one bar of class shares for each part ---- */
  const partInfo = (part) => ({
    title: part.t, counts: part.c, total: sum(part.c), note: whole.format(part.r) + " rows, " + percent(part.s) + " of all",
  });
  const drawAfter = (place, column, order) => {
    const parts = [...column.p];
    if (order === "rows") parts.sort((a, b) => b.r - a.r);
    else if (order !== "") parts.sort((a, b) => b.c[order] / sum(b.c) - a.c[order] / sum(a.c));
    const width = Math.max(280, place.clientWidth);
    const isNarrow = width < 560;
    const room = isNarrow ? 0 : Math.min(Math.max(...parts.map((p) => measure(p.t))) + 14, width * 0.34);
    const side = isNarrow ? 70 : 150;
    const wide = width - room - side;
    const tall = isNarrow ? 52 : 36;
    const top = isNarrow ? 22 : 4;
    const height = parts.length * tall + 26;
    const svg = canvas(width, height, `Shares of ${classes.join(", ")} in the ${parts.length} parts of ${column.n}; the table below holds the same numbers. Use the arrow keys to step through the parts.`);
    const most = Math.max(...parts.map((p) => p.s));
    const marks = parts.map((part, k) => {
      const y = k * tall;
      const group = draw("g");
      group.append(draw("rect", { x: -8, y: y - 1, width: width + 16, height: tall - 2, rx: 6, class: "halo" }));
      group.append(draw("text", { x: 0, y: isNarrow ? y + 15 : y + top + 19, class: "data" }, fit(part.t, isNarrow ? wide : room - 12)));
      group.append(draw("rect", { x: room, y: y + top, width: wide, height: 28, rx: 3, class: "track" }));
      stackAcross(group, part.c, room, y + top, wide, 28, sum(part.c), true);
      const x = room + wide + 12;
      if (!isNarrow) group.append(draw("rect", { x, y: y + top + 9, width: Math.max(1.5, (62 * part.s) / most), height: 10, rx: 2, class: "rows" }));
      group.append(draw("text", { x: width, y: y + top + 19, "text-anchor": "end", class: "soft" }, isNarrow ? percent(part.s) : whole.format(part.r)));
      svg.append(group);
      return { node: group, info: partInfo(part) };
    });
    const base = parts.length * tall;
    if (classes.length === 2) {
      const x = room + wide * prior[0];
      svg.append(draw("line", { x1: x, x2: x, y1: top - 4, y2: base, class: "mean" }));
      svg.append(draw("text", { x, y: base + 15, "text-anchor": "middle", class: "soft" }, "all rows: " + percent(prior[0]) + " " + fit(classes[0], 110)));
    }
    if (!isNarrow) svg.append(draw("text", { x: width, y: base + 15, "text-anchor": "end", class: "soft" }, "rows"));
    bringToLife(svg, marks);
    place.replaceChildren(svg);
  };

  /* ---- before: a histogram with the cuts, or the most frequent values ---- */
  const drawBefore = (place, column) => {
    if (column.b.k === "values") drawValues(place, column);
    else drawNumbers(place, column);
  };
  const drawNumbers = (place, column) => {
    const { k, e: edges, c: counts, t: isTime, z: zone, lo, hi } = column.b;
    const width = Math.max(280, place.clientWidth);
    const [high, left, top] = [200, 46, column.q ? 36 : 22];
    const isSingle = k === "numbers";
    let [from, to] = [edges[0], edges[edges.length - 1]];
    const least = isSingle ? Math.min(...edges.slice(1).map((x, i) => x - edges[i]), (to - from) || 1) : 0;
    if (isSingle) { from -= least / 2; to += least / 2; }
    const at = (x) => left + ((width - left - 8) * (x - from)) / (to - from);
    const most = Math.max(...counts.map(sum), 1);
    const up = (count) => (high * count) / most;
    const shown = (x) => (isTime ? day(x, to - from, zone) : plain(x));
    const svg = canvas(width, top + high + 40, `Distribution of ${column.n} by class before it was cut${column.cuts.length ? ", with its cuts" : ""}; a table of it stands below. Use the arrow keys to step through it.`);
    for (const tick of ticks(0, most, 4)) {
      const y = top + high - up(tick);
      svg.append(draw("line", { x1: left, x2: width - 8, y1: y, y2: y, class: "axis" }));
      svg.append(draw("text", { x: left - 8, y: y + 4, "text-anchor": "end", class: "soft" }, tick >= 1e4 ? tick / 1e3 + "k" : plain(tick)));
    }
    const marks = counts.map((row, i) => {
      const size = isSingle ? Math.min(Math.max(3, at(from + least) - at(from) - 2), 46) : 0;
      const x = isSingle ? at(edges[i]) - size / 2 : at(edges[i]);
      const wide = isSingle ? size : Math.max(1, at(edges[i + 1]) - x - 0.7);
      const group = draw("g");
      group.append(draw("rect", { x, y: top, width: wide, height: high, class: "halo" }));
      let y = top + high;
      row.forEach((count, j) => {
        if (count <= 0) return;
        y -= up(count);
        group.append(draw("rect", { x, y, width: wide, height: Math.max(up(count), 0.6), class: "f" + j }));
      });
      svg.append(group);
      const title = isSingle ? shown(edges[i]) : "from " + shown(edges[i]) + " to " + shown(edges[i + 1]);
      return { node: group, info: { title, counts: row, total: sum(row), note: whole.format(sum(row)) + " rows" } };
    });
    if (column.q) drawBorders(svg, column.q, { at, from, to, top, high, right: width - 8 });
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
    const labels = isTime ? [0, 1, 2, 3, 4].map((i) => from + ((to - from) * i) / 4) : ticks(from, to, Math.max(2, width / 110));
    labels.forEach((x, i) => {
      const anchor = isTime && i === 0 ? "start" : isTime && i === 4 ? "end" : "middle";
      svg.append(draw("text", { x: at(x), y: top + high + 17, "text-anchor": anchor, class: "soft" }, shown(x)));
    });
    const beyond = [];
    if (lo) beyond.push(whole.format(lo) + " rows below");
    if (hi) beyond.push(whole.format(hi) + " rows above");
    if (column.cuts.some(([cut]) => cut < from || cut > to)) beyond.push("cuts there too");
    if (beyond.length) svg.append(draw("text", { x: width - 8, y: top + high + 35, "text-anchor": "end", class: "soft" }, "not shown: " + beyond.join(", ")));
    bringToLife(svg, marks);
    place.replaceChildren(svg);
  };
  /* Over the bars: where each cut lies with 90 %, and the averaged share of a class on its own scale. */
  const drawBorders = (svg, { s: stretches, x: places, y: shares }, { at, from, to, top, high, right }) => {
    const inside = (x) => at(Math.min(Math.max(x, from), to));
    for (const [low, end] of stretches) {
      const x = inside(low);
      const wide = Math.max(inside(end) - x, 1);
      svg.append(draw("rect", { x, y: top, width: wide, height: high, class: "band" }));
    }
    const shown = classes.length === 2 ? [1] : classes.map((_, j) => j);
    for (const j of shown) {
      const level = (row) => (top + high - high * row[j]).toFixed(1);
      const path = places.reduce((d, x, i) => d + `H${inside(x).toFixed(1)}V${level(shares[i + 1])}`, `M${inside(from)} ${level(shares[0])}`) + `H${inside(to)}`;
      svg.append(draw("path", { d: path, class: "curve-edge" }), draw("path", { d: path, class: classes.length === 2 ? "curve" : "curve s" + j }));
    }
    const named = classes.length === 2 ? "line: averaged share of " + fit(classes[1], 120) + " (0 to 100 %)" : "lines: averaged shares (0 to 100 %)";
    const told = named + (stretches.length ? "; grey: a cut lies there with 90 %" : "");
    svg.append(draw("text", { x: right, y: 11, "text-anchor": "end", class: "soft" }, fit(told, right)));
  };
  const drawValues = (place, column) => {
    const { l: labels, c: counts, g: groups, n: others } = column.b;
    const width = Math.max(280, place.clientWidth);
    const room = Math.min(Math.max(...labels.map(measure)) + 14, width * 0.36);
    const side = width < 560 ? 62 : 124;
    const wide = width - room - side;
    const most = Math.max(...counts.map(sum), 1);
    const svg = canvas(width, counts.length * 26 + (others ? 26 : 4), `The most frequent values of ${column.n} by class before they were grouped; a table of them stands below. Use the arrow keys to step through them.`);
    const marks = counts.map((row, i) => {
      const group = draw("g");
      const total = sum(row);
      group.append(draw("rect", { x: -8, y: i * 26, width: width + 16, height: 25, rx: 5, class: "halo" }));
      group.append(draw("text", { x: 0, y: i * 26 + 17, class: "data" }, fit(labels[i], room - 12)));
      stackAcross(group, row, room, i * 26 + 4, (wide * total) / most, 17, total, false);
      group.append(draw("text", { x: room + (wide * total) / most + 8, y: i * 26 + 17, class: "soft" }, whole.format(total)));
      if (side > 100) group.append(draw("text", { x: width, y: i * 26 + 17, "text-anchor": "end", class: "soft" }, "group " + groups[i]));
      svg.append(group);
      return { node: group, info: { title: labels[i], counts: row, total, note: whole.format(total) + " rows, group " + groups[i] } };
    });
    if (others) svg.append(draw("text", { x: 0, y: counts.length * 26 + 18, class: "soft" }, `and ${whole.format(others)} more values`));
    bringToLife(svg, marks);
    place.replaceChildren(svg);
  };

  const drawCard = (index) => {
    const card = cards[index];
    const order = card.querySelector(".order");
    const after = card.querySelector(".after");
    const before = card.querySelector(".before");
    drawAfter(after, columns[index], order ? order.value : "");
    if (before) drawBefore(before, columns[index]);
  };

  /* ---- the list: shapes, order, search ---- */
  rows.forEach((row, index) => {
    const place = row.querySelector("td.shape");
    const svg = draw("svg", { width: 96, height: 22, viewBox: "0 0 96 22", preserveAspectRatio: "none", "aria-hidden": "true" });
    const parts = columns[index].p;
    let x = 0;
    for (const part of parts) {
      const wide = Math.max(1, 96 * part.s);
      let y = 22;
      const total = sum(part.c) || 1;
      part.c.forEach((count, j) => {
        const tall = (22 * count) / total;
        y -= tall;
        if (tall > 0) svg.append(draw("rect", { x, y, width: wide > 3 && parts.length > 1 ? wide - 1 : wide, height: tall, class: "f" + j }));
      });
      x += wide;
    }
    place.append(svg);
  });
  const stack = document.getElementById("prior");
  prior.forEach((share, j) => {
    const piece = Object.assign(document.createElement("i"), { className: "f" + j });
    piece.style.flex = String(Math.max(share, 0.002));
    stack.append(piece);
  });

  const body = document.querySelector("#ranking tbody");
  const heads = [...document.querySelectorAll("#ranking thead th[data-key]")];
  const sortBy = (head) => {
    const isText = head.dataset.type === "text";
    const now = head.getAttribute("aria-sort");
    const way = now ? (now === "ascending" ? "descending" : "ascending") : isText ? "ascending" : "descending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", way);
    const key = head.dataset.key;
    const sign = way === "ascending" ? 1 : -1;
    const compare = isText ? (a, b) => a.dataset[key].localeCompare(b.dataset[key], "en", { numeric: true }) : (a, b) => a.dataset[key] - b.dataset[key];
    body.append(...[...rows].sort((a, b) => sign * compare(a, b) || a.dataset.index - b.dataset.index));
    live.textContent = "Sorted by " + head.textContent + ", " + way;
  };
  heads.forEach((head) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => sortBy(head));
    head.replaceChildren(button);
  });

  const text = cards.map((card, i) => (columns[i].n + "\n" + columns[i].p.map((p) => p.t).join("\n") + "\n" + (card.querySelector(".members")?.textContent || "")).toLowerCase());
  const isOf = {
    all: () => true,
    useful: (row) => Number(row.dataset.level) > 0,
    numeric: (row) => !["categorical", "ordered"].includes(row.dataset.kind),
    categorical: (row) => ["categorical", "ordered"].includes(row.dataset.kind),
  };
  let shown = "all";
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of rows) {
      const isShown = isOf[shown](row) && words.every((word) => text[row.dataset.index].includes(word));
      row.hidden = !isShown;
      n += isShown;
    }
    document.getElementById("found").textContent = n + " of " + rows.length + " columns";
  };
  search.addEventListener("input", filter);
  document.querySelectorAll(".chips button").forEach((chip) => chip.addEventListener("click", () => {
    shown = chip.dataset.show;
    document.querySelectorAll(".chips button").forEach((other) => other.setAttribute("aria-pressed", String(other === chip)));
    filter();
  }));

  /* ---- one column at a time ---- */
  let current = -1;
  const open = (index, goThere) => {
    if (!cards[index]) return;
    if (current >= 0) { cards[current].classList.remove("open"); rows[current].classList.remove("open"); rows[current].querySelector("a").removeAttribute("aria-current"); }
    current = index;
    cards[index].classList.add("open");
    rows[index].classList.add("open");
    rows[index].querySelector("a").setAttribute("aria-current", "true");
    drawCard(index);
    if (!goThere) return;
    try { history.replaceState(null, "", "#c" + index); } catch { /* a sandbox may forbid it */ }
    rows[index].scrollIntoView({ block: "nearest" });
    if (innerWidth <= 1080) cards[index].scrollIntoView();
  };
  const step = (by) => {
    const visible = [...body.children].filter((row) => !row.hidden);
    const at = visible.indexOf(rows[current]);
    const next = visible[Math.max(0, Math.min(visible.length - 1, at + by))];
    if (next) { open(Number(next.dataset.index), true); next.querySelector("a").focus({ preventScroll: true }); }
  };
  rows.forEach((row, index) => row.addEventListener("click", (event) => { event.preventDefault(); open(index, true); }));
  document.querySelectorAll(".order").forEach((order) => order.addEventListener("change", () => drawCard(cards.indexOf(order.closest(".card")))));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { search.value = ""; filter(); search.blur(); }
    const first = [...body.children].find((row) => !row.hidden);
    if (event.key === "Enter" && first) open(Number(first.dataset.index), true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
    if (event.key === "ArrowDown" && event.target.closest("#ranking")) { event.preventDefault(); step(1); }
    if (event.key === "ArrowUp" && event.target.closest("#ranking")) { event.preventDefault(); step(-1); }
    if (event.key === "d") document.getElementById("theme").click();
    if (event.key === "Escape") hideTip();
  });

  /* ---- looks ---- */
  const theme = document.getElementById("theme");
  const dress = (isDark) => {
    root.dataset.theme = isDark ? "dark" : "light";
    theme.setAttribute("aria-pressed", String(isDark));
    theme.textContent = isDark ? "Light" : "Dark";
  };
  let kept = null;
  try { kept = localStorage.getItem("partage-theme"); } catch { /* no storage for files in some browsers */ }
  dress(kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  theme.addEventListener("click", () => {
    dress(root.dataset.theme !== "dark");
    try { localStorage.setItem("partage-theme", root.dataset.theme); } catch { /* as above */ }
  });
  document.getElementById("print").addEventListener("click", () => print());
  addEventListener("beforeprint", () => cards.forEach((card, index) => { card.classList.add("open"); drawCard(index); }));
  addEventListener("afterprint", () => { cards.forEach((card, index) => card.classList.toggle("open", index === current)); drawCard(current); });
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => drawCard(current), 120); });
  addEventListener("hashchange", () => open(Number(location.hash.slice(2)), true));

  open(/^#c\d+$/.test(location.hash) ? Number(location.hash.slice(2)) : 0, false);
  if (current < 0) open(0, false);
})();
