// Handing something out of the page: into the clipboard, or as a file.

import { h } from "./element.js";

/** Copy a text; where the browser does not allow that, show it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    prompt("Copy it from here", text);
    return false;
  }
}

/** Save a text or a blob as a file. */
export function save(content, name, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** An element of SVG as the text of a file. */
export function svgFile(svg) {
  const copied = svg.cloneNode(true);
  copied.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copied.setAttribute("font-family", "system-ui, sans-serif");
  return copied.outerHTML;
}
