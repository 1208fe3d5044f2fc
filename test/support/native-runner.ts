import { pathToFileURL } from "node:url";
import { TestRunner } from "vitest";

/**
 * Lets the runtime import test files where Vite does not (`experimental.viteModuleRunner: false`). Vitest's own way adds a
 * query to the path, which Deno takes for a part of the name.
 */
export default class NativeRunner extends TestRunner {
  override importFile(path: string, source: "collect" | "setup"): unknown {
    if (source === "setup") throw new Error(`${path}: setup files run by Vite only`);
    return import(pathToFileURL(path).href);
  }
}
