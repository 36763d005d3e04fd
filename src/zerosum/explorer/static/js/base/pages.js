// The pages: name in the address, room, title in the navigation (null if it is only reached by links).
// A page is the custom element `page-NAME` in `ROOM/page_NAME.js`, which is loaded when it is first shown.

export const PAGES = [
  { name: "home", room: "runs", title: "Runs" },
  { name: "build", room: "spot", title: "Build" },
  { name: "games", room: "games", title: "Games" },
  { name: "figures", room: "figures", title: "Figures" },
  { name: "run", room: "walk", title: null },
  { name: "train", room: "training", title: "Train" },
  { name: "reports", room: "reports", title: "Reports" },
].map((page) => ({ ...page, element: `page-${page.name}`, load: () => import(`../${page.room}/page_${page.name}.js`) }));
