import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fragment, fragmentOf } from "./fragments.ts";

/** The fragments of a folder, by file name; each of `problems` starts with the file name. */
export interface Folder {
  fragments: Map<string, Fragment>;
  problems: string[];
}

/** Reads all fragments of a folder, sorted by name, except its `README.md`. */
export function fragmentsIn(folder: string): Folder {
  const found: Folder = { fragments: new Map(), problems: [] };
  for (const name of readdirSync(folder).sort()) {
    if (name === "README.md") continue;
    const fragment = fragmentOf(name, readFileSync(join(folder, name), "utf8"));
    if (typeof fragment === "string") found.problems.push(`${name} ${fragment}`);
    else found.fragments.set(name, fragment);
  }
  return found;
}
