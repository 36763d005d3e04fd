// Elements: `h` and `svg` create them, `Component` is the base class of all custom elements.

import { LatestRequest } from "./latest_request.js";

/**
 * Create an element: `h("button.primary", { onclick: save, title: "Save" }, "Save")`. Attributes that begin with `on` are
 * listeners, `style` is an object of CSS properties, `data` one of data attributes, `props` one of properties; attributes that are
 * null are left out.
 */
export function h(name, attributes, ...children) {
  if (attributes instanceof Node || typeof attributes !== "object" || Array.isArray(attributes)) {
    children.unshift(attributes);
    attributes = null;
  }
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [rule, text] of Object.entries(value)) element.style.setProperty(rule, text);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "props") Object.assign(element, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  appendChildren(element, children);
  return element;
}

function appendChildren(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) appendChildren(parent, child);
    else if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

/** Set the text of an element, unless it has that text already: an assignment alone would trigger a layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Create an SVG element: `svg("path", { d, class: "curve" })`. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * Call `update` as soon as nothing inside `root` is pressed. A control that is moved or replaced between press and release gets no
 * click, so whatever arrives by itself (EVs, the state of a run) has to wait for the release.
 */
export function whenReleased(root, update) {
  if (root.querySelector(":active")) requestAnimationFrame(() => whenReleased(root, update));
  else update();
}

/** Create buttons of which one is pressed: an option is a value, for the data attribute `key`, a title and perhaps a tooltip. */
export function segmented(key, options, choose, label = null) {
  const buttons = options.map(([value, title, about]) => h("button", { title: about, data: { [key]: value }, onclick: () => choose(value) }, title));
  return h("div.segmented", { role: "group", "aria-label": label }, buttons);
}

/** Press the button with a value. */
export function press(segments, value) {
  for (const button of segments.children) button.setAttribute("aria-pressed", String(Object.values(button.dataset)[0] === value));
}

/** Show a text in an element for two seconds, in place of its usual text. */
export function flash(element, text, usual = "") {
  element.textContent = text;
  clearTimeout(element.flashTimer);
  element.flashTimer = setTimeout(() => (element.textContent = usual), 2000);
}

/**
 * A custom element that builds its content once (`build`) and is subscribed to stores and events only while it is in the
 * document, so that nothing keeps it alive after it was removed. Its content may be set as `data`, with which `render` is called.
 */
export class Component extends HTMLElement {
  #built = false;
  #data = null;
  #starts = [];
  #stops = [];

  connectedCallback() {
    if (!this.#built) {
      this.build();
      this.#built = true;
      if (this.#data !== null) this.render(this.#data);
    }
    this.#stops = this.#starts.map((start) => start());
  }

  get data() {
    return this.#data;
  }

  set data(data) {
    this.#data = data;
    if (this.#built) this.render(data);
  }

  disconnectedCallback() {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  build() {}

  /** Call `listener` with the value of a key of a store, now and on every change. */
  subscribe(store, key, listener) {
    this.whileConnected(() => store.subscribe(key, listener));
  }

  /** Listen to an event of a target that outlives this element, such as the window. */
  listen(target, event, listener) {
    this.whileConnected(() => {
      target.addEventListener(event, listener);
      return () => target.removeEventListener(event, listener);
    });
  }

  /** Call `start` whenever the element enters the document, and the function it returns when the element leaves it. */
  whileConnected(start) {
    this.#starts.push(start);
    if (this.isConnected && this.#built) this.#stops.push(start());
  }

  /** Call `listener` with the size of an element's content, now and whenever it changes. */
  observeSize(element, listener) {
    this.whileConnected(() => {
      const observer = new ResizeObserver(([{ contentRect }]) => listener(contentRect));
      observer.observe(element);
      return () => observer.disconnect();
    });
  }

  /** Return a `LatestRequest` that is aborted when the element leaves the document. */
  latestRequest() {
    const latest = new LatestRequest();
    this.whileConnected(() => () => latest.abort());
    return latest;
  }

  /** Run an action and return its result; if it fails, show its error in `this.message` and return undefined. */
  async attempt(action) {
    this.message.textContent = "";
    try {
      return await action();
    } catch (error) {
      this.message.textContent = error.message;
    }
  }

  replaceContent(...children) {
    this.replaceChildren();
    appendChildren(this, children);
  }
}
