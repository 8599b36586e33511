/* Keys for everything. */
import { byId, make, hideTip } from "./shared.js";
import { act, chosen, current } from "./column.js";
import { mergeChosen } from "./parts.js";

const KEYS = [
  ["j, k", "next, previous column"], ["/", "search columns"], ["v", "search values of a category"],
  ["Tab", "to the next border, part or value"], ["← →", "move the border over a value; with Shift over ten"],
  ["Enter", "type where the border goes"], ["c", "type a new cut"], ["Delete", "merge the parts beside a border"],
  ["l", "lock or unlock the border"], ["m", "merge the chosen parts"], ["b", "best under my limits"],
  ["u, r", "undo, redo"], ["n", "note"], ["1, 2, 3", "proposed, reviewed, signed"], ["Ctrl+S", "save"], ["d", "dark or light"], ["?", "these keys"],
];
export const startKeys = ({ step, save }) => {
  const help = byId("help");
  help.append(make("h2", { text: "Keys" }), make("dl", {}, ...KEYS.flatMap(([key, text]) => [make("dt", {}, make("kbd", { text: key })), make("dd", { text })])), make("form", { method: "dialog" }, make("button", { text: "Close" })));
  const focus = (id) => { byId(id)?.focus(); byId(id)?.select?.(); };
  const plainKeys = {
    j: () => step(1), k: () => step(-1), u: () => act({ do: "undo" }), r: () => act({ do: "redo" }), b: () => byId("optimize")?.click(),
    "/": () => focus("search"), v: () => focus("value-search"), c: () => focus("cut"), n: () => focus("note"), m: () => { if (chosen.parts.size > 1) mergeChosen(); },
    d: () => byId("theme").click(), "?": () => help.showModal(), Escape: hideTip,
    1: () => act({ do: "status", status: "proposed" }), 2: () => act({ do: "status", status: "reviewed" }), 3: () => act({ do: "status", status: "signed" }),
  };
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") { event.preventDefault(); save(); return; }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      act({ do: event.shiftKey ? "redo" : "undo" });
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const found = plainKeys[event.key];
    if (!found || ("urb123mn".includes(event.key) && !current())) return;
    event.preventDefault();
    found();
  });
};
