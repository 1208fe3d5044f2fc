import { pathToFileURL } from "node:url";
import { VitestTestRunner } from "vitest/runners";

/**
 * Has Deno import test files, and so all that they import. Vitest's own way without Vite appends a query to the path, which
 * Deno takes for a part of the name. Each file is imported once in a process, so none is needed.
 */
export default class DenoRunner extends VitestTestRunner {
  override importFile(path: string): unknown {
    return import(pathToFileURL(path).href);
  }
}
