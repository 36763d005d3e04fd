// The pages: a name in the address, a title in the frame (none if it is reached from elsewhere), and an element.
// A new page is a file with a custom element, imported here, and a line below.

import "./page-home.js";
import "./page-build.js";
import "./page-run.js";
import "./page-games.js";
import "./page-figures.js";
import "./page-train.js";
import "./page-reports.js";

export const PAGES = [
  { name: "home", title: "Runs", element: "page-home" },
  { name: "build", title: "Build", element: "page-build" },
  { name: "games", title: "Games", element: "page-games" },
  { name: "figures", title: "Figures", element: "page-figures" },
  { name: "run", title: null, element: "page-run" },
  { name: "train", title: "Train", element: "page-train" },
  { name: "reports", title: "Reports", element: "page-reports" },
];
