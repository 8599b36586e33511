/* The server: every number comes from there. */
import { byId } from "./shared.js";

const address = new URL(location.href);
const token = address.searchParams.get("token");
let header = {}; // where a browser keeps no cookie, as in the frame of a notebook
const windows = new BroadcastChannel("partage-studio-" + location.port);

export class Refusal extends Error {
  constructor(text, status) { super(text); this.status = status; }
}
const ask = async (path, options) => {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: { ...header, ...options.headers }, cache: "no-store" });
  } catch {
    throw new Refusal("The studio does not answer. Is it still running?", 0);
  }
  const found = await answer.json();
  if (!answer.ok) throw new Refusal(found.error, answer.status);
  return found;
};
export const get = (path, asked = {}) => ask(path + "?" + new URLSearchParams(asked), { method: "GET" });
export const post = (path, body) => ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/* The token leaves the address once the cookie is there. */
export const enter = async () => {
  if (!token) return;
  try {
    await get("/api/desk");
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  } catch (error) {
    if (error.status !== 401) throw error;
    header = { "X-Partage-Token": token };
  }
};
export const file = async (path, asked = {}) => {
  const answer = await fetch(path + "?" + new URLSearchParams(asked), { headers: header, cache: "no-store" });
  if (!answer.ok) throw new Refusal((await answer.json()).error, answer.status);
  const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") || "");
  return { blob: await answer.blob(), name: named ? named[1] : "studio" };
};

/* Other windows of the same studio hear what was changed. */
export const tell = (column) => windows.postMessage({ column });
export const hear = (listen) => windows.addEventListener("message", (event) => listen(event.data.column));

let hiding = 0;
export const toast = (text, kind = "bad") => {
  const place = byId("toast");
  place.textContent = text;
  place.className = kind;
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { place.hidden = true; }, kind === "bad" ? 9000 : 2500);
};
