/* The distribution of a column with its borders, which move by the pointer and by keys. */
import { make, draw, drawBefore, measure, percent, REPORT, byId } from "./shared.js";
import { act, preview, endPreview, restore, chosen } from "./column.js";

export const drawFixed = (column, width) => [make("h3", { text: "Most frequent values" }), drawBefore(column, width)];

const canEdit = (column) => !REPORT.readOnly && column.status !== "signed" && column.hasValues;
export const drawBorders = (column, certainty, width) => {
  const svg = drawBefore({ ...column, cuts: [], q: certainty.q || null }, width);
  const frame = svg.frame;
  drawChances(svg, frame, certainty.borders || []);
  for (const [place] of column.start.cuts) if (place >= frame.from && place <= frame.to) svg.append(draw("path", { d: `M${frame.at(place)} ${frame.top + frame.high}l-4 7h8Z`, class: "optimum" }));
  const ghost = draw("line", { y1: frame.top, y2: frame.top + frame.high, class: "ghost", visibility: "hidden" });
  svg.append(ghost);
  let last = -99;
  const handles = column.cuts.map(([place, text], index) => {
    if (place === null || place < frame.from || place > frame.to) return null;
    const x = frame.at(place);
    const half = measure(text) / 2;
    const isFree = x - half > last + 6;
    if (isFree) last = x + half;
    return handle(column, svg, index, x, isFree ? text : "");
  }).filter(Boolean);
  svg.append(...handles);
  if (canEdit(column)) listenForCuts(column, svg, ghost);
  const outside = column.cuts.filter(([place]) => place === null || place < frame.from || place > frame.to).length;
  return outside ? [svg, make("p", { class: "soft", text: `${outside} of the borders lie outside the chart.` })] : [svg];
};
const drawChances = (svg, frame, borders) => {
  const most = Math.max(...borders.map(([, chance]) => chance), 0.05);
  for (const [place, chance] of borders) {
    if (place < frame.from || place > frame.to) continue;
    const line = draw("line", { x1: frame.at(place), x2: frame.at(place), y1: frame.top + frame.high, y2: frame.top + frame.high * (1 - chance / most), class: "chance" });
    line.append(draw("title", {}, `a border here: ${percent(chance)}`));
    svg.append(line);
  }
};
const reachOf = (frame, x) => (chosen.round ? Math.abs(frame.back(x + 9) - frame.back(x - 9)) / 2 : 0);

/* A border: a slider for hands, eyes and readers of the screen. */
const handle = (column, svg, index, x, text) => {
  const frame = svg.frame;
  const isLocked = column.locked.includes(index);
  const group = draw("g", { class: "handle" + (isLocked ? " locked" : ""), tabindex: 0, role: "slider", "data-index": index, "aria-label": `Border ${index + 1}${isLocked ? ", locked" : ""}`, "aria-valuetext": column.cuts[index][1], "aria-valuenow": column.cuts[index][0] });
  const label = draw("text", { x: 0, y: frame.top - 12, "text-anchor": "middle", class: "edge" }, text);
  group.append(
    draw("rect", { x: -9, y: frame.top - 8, width: 18, height: frame.high + 16, class: "grab" }),
    draw("line", { x1: 0, x2: 0, y1: frame.top - 4, y2: frame.top + frame.high, class: "border" }),
    draw("circle", { cx: 0, cy: frame.top - 3, r: 6, class: "grip" }), label);
  if (isLocked) group.append(draw("path", { d: `M-2.5 ${frame.top - 3}v-2a2.5 2.5 0 0 1 5 0v2M-3.5 ${frame.top - 3}h7v4h-7Z`, class: "lock" }));
  const put = (at) => group.setAttribute("transform", `translate(${at} 0)`);
  put(x);
  if (!canEdit(column)) return group;
  group.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || isLocked) return;
    event.preventDefault();
    event.stopPropagation();
    svg.append(group); // over the others
    group.focus();
    group.setPointerCapture(event.pointerId);
    drag(column, svg, group, index, put, label);
  });
  group.addEventListener("click", (event) => event.stopPropagation());
  group.addEventListener("keydown", (event) => keyOnBorder(event, column, index, isLocked));
  return group;
};
const inside = (svg, event) => {
  const box = svg.getBoundingClientRect();
  return ((event.clientX - box.left) * svg.viewBox.baseVal.width) / box.width;
};
const drag = (column, svg, group, index, put, label) => {
  const frame = svg.frame;
  let command = null;
  let isOver = false;
  group.classList.add("dragged");
  const move = (event) => {
    const x = Math.max(frame.at(frame.from), Math.min(frame.at(frame.to), inside(svg, event)));
    put(x);
    command = { do: "move_cut", index, position: frame.back(x), reach: reachOf(frame, x) };
    preview(command, (found) => {
      if (isOver) return false;
      label.textContent = found.cuts[index]?.[1] ?? "";
      return true;
    });
  };
  const finish = (isKept) => {
    isOver = true;
    group.removeEventListener("pointermove", move);
    group.removeEventListener("pointerup", up);
    group.removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", escape, true);
    endPreview();
    const focus = () => document.querySelector(`.handle[data-index="${index}"]`)?.focus();
    (isKept && command ? act(command) : restore()).then(focus);
  };
  const up = () => finish(true);
  const cancel = () => finish(false);
  const escape = (event) => { if (event.key === "Escape") { event.stopPropagation(); cancel(); } };
  group.addEventListener("pointermove", move);
  group.addEventListener("pointerup", up);
  group.addEventListener("pointercancel", cancel);
  addEventListener("keydown", escape, true);
};
const focusBorder = (index) => document.querySelector(`.handle[data-index="${index}"]`)?.focus();
const keyOnBorder = (event, column, index, isLocked) => {
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 };
  const by = (steps[event.key] || 0) * (event.shiftKey ? 10 : 1);
  const commands = { Delete: { do: "merge", parts: [index, index + 1] }, Backspace: { do: "merge", parts: [index, index + 1] }, l: { do: "lock", index, on: !isLocked } };
  const command = by ? { do: "step_cut", index, by } : commands[event.key];
  if (event.key === "Enter") {
    event.preventDefault();
    const input = byId("cut");
    input.dataset.index = index;
    input.value = column.cuts[index][1];
    input.select();
    input.focus();
  }
  if (!command || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  act(command).then(() => focusBorder(index));
};

/* A click between borders makes one more. */
const listenForCuts = (column, svg, ghost) => {
  const frame = svg.frame;
  const within = (event) => {
    const x = inside(svg, event);
    return x >= frame.at(frame.from) && x <= frame.at(frame.to) ? x : null;
  };
  svg.classList.add("cuttable");
  svg.addEventListener("pointermove", (event) => {
    const x = event.target.closest(".handle") ? null : within(event);
    ghost.setAttribute("visibility", x === null ? "hidden" : "visible");
    if (x !== null) { ghost.setAttribute("x1", x); ghost.setAttribute("x2", x); }
  });
  svg.addEventListener("pointerleave", () => ghost.setAttribute("visibility", "hidden"));
  svg.addEventListener("click", (event) => {
    const x = within(event);
    if (x !== null && !event.target.closest(".handle")) act({ do: "split_at", position: frame.back(x), reach: reachOf(frame, x) });
  });
};
/* What is typed stays while the chart is drawn anew. */
export const toolbar = () => {
  const input = make("input", { id: "cut", size: 12, placeholder: "type a cut", "aria-label": "Type a cut", autocomplete: "off" });
  const clear = () => { delete input.dataset.index; input.value = ""; };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { clear(); input.blur(); }
    if (event.key !== "Enter" || !input.value.trim()) return;
    const index = input.dataset.index === undefined ? null : Number(input.dataset.index);
    act({ do: "type_cut", text: input.value, index }).then((isDone) => { if (isDone) clear(); });
  });
  const round = make("input", { type: "checkbox", id: "round", checked: chosen.round, onchange: () => { chosen.round = round.checked; } });
  return make("div", { class: "chart-tools" },
    input, make("label", { for: "round" }, round, " snap to round numbers"),
    make("span", { class: "soft", text: "Click the chart to cut; drag a border to move it; Delete merges; L locks." }),
    make("span", { class: "soft key" }, draw("svg", { width: 10, height: 9, viewBox: "-5 0 10 9", "aria-hidden": "true" }, draw("path", { d: "M0 0l-4 7h8Z", class: "optimum" })), " optimum"));
};
export const enableTools = (column) => { const input = byId("cut"); if (input) input.disabled = !canEdit(column); };
