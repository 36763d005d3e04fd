// Copy to the clipboard, save as a file.

import { h } from "./element.js";

/** Copy a text and return true; where the browser does not allow that, show the text and return false. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    prompt("Copy this text", text);
    return false;
  }
}

/** Let the browser save a text or a blob as a file. */
export function saveFile(content, name, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Return an SVG element as the text of a file. */
export function svgText(svg) {
  const clone = svg.cloneNode(true);
  clone.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  clone.setAttribute("font-family", "system-ui, sans-serif");
  return clone.outerHTML;
}
