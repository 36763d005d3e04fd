// The stream of server-sent events.

/**
 * Open the stream: call `onEvent(name, data)` for each event, and `onLive(true or false)` when the stream opens and breaks. A
 * hidden page closes it, because a browser allows only a few connections to one server.
 */
export function openEvents(onEvent, onLive) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("api/events");
    source.onopen = () => onLive(true);
    source.onerror = () => onLive(false);
    for (const name of ["runs", "run", "figure", "report"]) source.addEventListener(name, (event) => onEvent(name, JSON.parse(event.data)));
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else open();
  });
  open();
}
