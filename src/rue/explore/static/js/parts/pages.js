// The pages: a name in the address, a title in the frame (none if it is reached from elsewhere), and an element, which
// is loaded when it is first shown. A new page is a file with a custom element, page-NAME.js, and a line below.

export const PAGES = [
  { name: "home", title: "Runs" },
  { name: "build", title: "Build" },
  { name: "games", title: "Games" },
  { name: "figures", title: "Figures" },
  { name: "run", title: null },
  { name: "train", title: "Train" },
  { name: "reports", title: "Reports" },
].map((page) => ({ ...page, element: `page-${page.name}`, load: () => import(`./page-${page.name}.js`) }));
