// The two things every part of the page is made of: `h` makes elements, `Part` is the base of custom elements.

/**
 * An element: `h("button.primary", {onclick: go, title: "Go"}, "Go")`. Properties that begin with `on` are listeners,
 * `style` is an object of CSS properties, `data` one of data attributes, `props` one of properties; null leaves out.
 */
export function h(name, attributes, ...children) {
  if (attributes instanceof Node || typeof attributes !== "object" || Array.isArray(attributes)) {
    children.unshift(attributes);
    attributes = null;
  }
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [rule, text] of Object.entries(value)) made.style.setProperty(rule, text);
    else if (key === "data") Object.assign(made.dataset, value);
    else if (key === "props") Object.assign(made, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  add(made, children);
  return made;
}

function add(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(parent, child);
    else if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

/** Let an element say a text; one that says it already is left alone, so that nothing is laid out again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** An element of SVG: `s("path", {d, class: "curve"})`. */
export function s(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * A part of the page: a custom element that builds itself once (`build`) and follows stores while it is shown
 * (`watch`), so that nothing is left behind when it goes.
 */
export class Part extends HTMLElement {
  #built = false;
  #follow = [];
  #stops = [];

  connectedCallback() {
    if (!this.#built) {
      this.build();
      this.#built = true;
    }
    this.#stops = this.#follow.map((start) => start());
  }

  disconnectedCallback() {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  build() {}

  /** Call `tell` with the value of a store's key, now and whenever it changes, while the part is shown. */
  watch(store, key, tell) {
    this.during(() => store.follow(key, tell));
  }

  /** Listen to an event of something that outlives the part, while the part is shown. */
  listen(target, event, tell) {
    this.during(() => {
      target.addEventListener(event, tell);
      return () => target.removeEventListener(event, tell);
    });
  }

  /** Do something when the part is shown; what it returns undoes it when the part goes. */
  during(start) {
    this.#follow.push(start);
    if (this.isConnected && this.#built) this.#stops.push(start());
  }

  /** Replace everything in it. */
  show(...children) {
    this.replaceChildren();
    add(this, children);
  }
}
