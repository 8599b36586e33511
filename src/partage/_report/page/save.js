/* What leaves the page: text to the clipboard; tables, rules and pictures as files. */
const copy = async (text, button) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch { /* not allowed here: select and copy as of old */
    const area = make("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const before = button.textContent;
  button.textContent = "Copied";
  live.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1200);
};
const download = (name, type, content) => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
};
const fileName = (text, ending) => (text.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80) || "column") + ending;

/* Texts that a spreadsheet would run as a formula get an apostrophe. */
const csvCell = (value) => {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
  return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
};
const csvOf = (rows) => rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";

/* A picture that needs no style sheet: what is computed is written into its elements. */
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family"];
const pictureOf = (svg, title) => {
  const twin = svg.cloneNode(true);
  const [from, to] = [[svg, ...svg.querySelectorAll("*")], [twin, ...twin.querySelectorAll("*")]];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    to[i].setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    to[i].removeAttribute("class");
  });
  const { width, height } = svg.viewBox.baseVal;
  const ground = getComputedStyle(root).getPropertyValue("--panel");
  const ink = getComputedStyle(root).getPropertyValue("--ink");
  const family = getComputedStyle(document.body).fontFamily;
  const head = draw("text", { x: 12, y: 24, style: `font:600 16px ${family};fill:${ink}` }, title);
  const whole = draw("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width + 24} ${height + 48}`, width: width + 24, height: height + 48 });
  twin.setAttribute("x", 12);
  twin.setAttribute("y", 40);
  whole.append(draw("rect", { width: "100%", height: "100%", style: `fill:${ground}` }), head, twin);
  return whole;
};
const svgText = (svg, title) => new XMLSerializer().serializeToString(pictureOf(svg, title));
const savePng = (svg, title, name) => {
  const picture = pictureOf(svg, title);
  const [width, height] = [picture.getAttribute("width"), picture.getAttribute("height")].map(Number);
  const image = new Image();
  image.onload = () => {
    const surface = make("canvas", { width: 2 * width, height: 2 * height });
    const context = surface.getContext("2d");
    context.scale(2, 2);
    context.drawImage(image, 0, 0, width, height);
    surface.toBlob((blob) => download(name, "image/png", blob), "image/png");
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(picture));
};
