import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const paths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Path of the browser that tests use: `TRIBUTARY_BROWSER`, else the first that is installed. */
export function findBrowser(): string | undefined {
  const named = process.env.TRIBUTARY_BROWSER;
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = programs.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...found, ...paths].find((path) => existsSync(path));
}

/** What to do where there is none. */
export const howToGetOne =
  "install a Chromium (Debian: apt-get install chromium-headless-shell), or set TRIBUTARY_BROWSER to the path of one";
