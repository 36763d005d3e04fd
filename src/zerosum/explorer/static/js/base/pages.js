// The pages: name in the address, folder, title in the navigation (null if it is only reached by links).
// A page is the custom element `page-NAME` in `FOLDER/page_NAME.js`, which is loaded when it is first shown.

export const PAGES = [
  { name: "home", folder: "runs", title: "Runs" },
  { name: "build", folder: "spot", title: "Build" },
  { name: "games", folder: "games", title: "Games" },
  { name: "figures", folder: "figures", title: "Figures" },
  { name: "run", folder: "walk", title: null },
  { name: "train", folder: "training", title: "Train" },
  { name: "reports", folder: "reports", title: "Reports" },
].map((page) => ({ ...page, element: `page-${page.name}`, load: () => import(`../${page.folder}/page_${page.name}.js`) }));
