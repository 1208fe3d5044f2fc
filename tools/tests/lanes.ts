import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Helpers of tests that start or address an engine, or whole services, which do so themselves. */
export const engineHelpers = [
  "test/support/engines/database.ts",
  "test/support/engines/shared-engines.ts",
  "test/support/engines/own-engines.ts",
  "test/support/engines/docker-engines.ts",
  "test/support/engines/tls-engines.ts",
  "test/support/engines/processes.ts",
];

/** The packaged PostgreSQL; a test that imports it starts one. */
const packagedServer = "metadata/postgres/embedded.ts";

/** Code of tests, by whose own text it is seen that it asks for an engine. */
const testCode = /\.test\.ts$|^test\/|(^|\/)testing\//;

export interface Lanes {
  /** Test files that start no engine. */
  unit: string[];
  /** Test files that do, each with the file that shows it. */
  engines: { file: string; by: string }[];
}

/** Gives the text of a file of the repository; empty where there is none. */
export type Reader = (file: string) => string;

/**
 * Splits test files by the code that they import, directly or by way of other files: the engines lane has
 * those that reach a helper of `engineHelpers`, or code of tests that imports the packaged PostgreSQL or
 * asks for the address of the shared one (`inject("postgresUrl")`). Imports of types alone do not count.
 */
export function lanesOf(tests: string[], read: Reader): Lanes {
  const lanes: Lanes = { unit: [], engines: [] };
  const known = new Map<string, Imported>();
  const look = (file: string): Imported => {
    const found = known.get(file) ?? imported(file, read(file));
    known.set(file, found);
    return found;
  };
  for (const file of tests) {
    const by = starterOf(file, look);
    if (by === null) lanes.unit.push(file);
    else lanes.engines.push({ file, by });
  }
  return lanes;
}

/** Test files below a folder, by path; installed packages and data are left out. */
export function testFiles(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return path.endsWith(".test.ts") ? [path] : [];
    return /^(node_modules|data|\..*)$/.test(path) ? [] : testFiles(root, path);
  });
}

/** Reads files of the repository at `root`. */
export function readerOf(root: string): Reader {
  return (file) => {
    try {
      return readFileSync(join(root, file), "utf8");
    } catch {
      return "";
    }
  };
}

interface Imported {
  files: string[];
  /** The file itself asks for an engine. */
  starts: boolean;
}

/** The first file reached from a test that starts an engine; null when none does. */
function starterOf(test: string, look: (file: string) => Imported): string | null {
  const seen = new Set([test]);
  for (const file of seen) {
    const { files, starts } = look(file);
    if (starts || engineHelpers.includes(file)) return file;
    for (const next of files) seen.add(next);
  }
  return null;
}

function imported(file: string, text: string): Imported {
  const statements = text.matchAll(
    /^(?:import|export)\s(?!type\b)(?:[^"'`;]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  const files = [...statements].flatMap(([, fixed, late]) => {
    const specifier = (fixed ?? late)!;
    if (specifier.startsWith("#")) return [specifier.slice(1)];
    return specifier.startsWith(".") ? [join(dirname(file), specifier)] : [];
  });
  const asks = files.includes(packagedServer) || /\binject\("postgresUrl"\)/.test(text);
  return { files, starts: testCode.test(file) && asks };
}
