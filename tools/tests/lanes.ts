import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Test helpers that start or connect to an engine, or start whole services, which do so. */
export const engineHelpers = [
  "test/support/engines/database.ts",
  "test/support/engines/shared-engines.ts",
  "test/support/engines/own-engines.ts",
  "test/support/engines/docker-engines.ts",
  "test/support/engines/tls-engines.ts",
  "test/support/engines/processes.ts",
  "test/support/engines/s3.ts",
  "test/support/engines/mariadb.ts",
  "test/support/sign-in/slapd.ts",
  "bench/support/subject.ts",
];

/** The packaged PostgreSQL; a test that imports it starts one. */
const packagedServer = "metadata/postgres/embedded.ts";

/** Test code; only in such files does the text itself show that an engine is needed. */
const testCode = /\.test\.ts$|^test\/|(^|\/)testing\//;

export interface TestLanes {
  /** Test files that start no engine. */
  unit: string[];
  /** Test files that start an engine, each with the file that shows it. */
  engines: { file: string; by: string }[];
}

/** Returns the text of a file of the repository; empty when it does not exist. */
export type Reader = (file: string) => string;

/**
 * Splits test files by the code that they import, directly or indirectly: the engines lane has those that
 * reach a helper of `engineHelpers`, or test code that imports the packaged PostgreSQL or asks for the
 * address of the shared one (`inject("postgresUrl")`). Type-only imports do not count.
 */
export function lanesOf(tests: string[], read: Reader): TestLanes {
  const lanes: TestLanes = { unit: [], engines: [] };
  const imports = importReader(read);
  for (const file of tests) {
    const by = starterOf(file, imports);
    if (by === null) lanes.unit.push(file);
    else lanes.engines.push({ file, by });
  }
  return lanes;
}

/** The test files that import `helper`, directly or indirectly. */
export function importersOf(helper: string, tests: string[], read: Reader): string[] {
  const imports = importReader(read);
  return tests.filter((test) => reached(test, imports).has(helper));
}

/** Test files in a folder, sorted by path; skips installed packages and data. */
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

interface ImportScan {
  files: string[];
  /** Whether the file itself needs an engine. */
  starts: boolean;
}

type ImportReader = (file: string) => ImportScan;

/** Reads what a file imports, once for each file. */
function importReader(read: Reader): ImportReader {
  const known = new Map<string, ImportScan>();
  return (file) => {
    const found = known.get(file) ?? imported(file, read(file));
    known.set(file, found);
    return found;
  };
}

/** A file and all that it imports, directly or indirectly, the nearest first. */
function reached(test: string, imports: ImportReader): Set<string> {
  const seen = new Set([test]);
  for (const file of seen) for (const next of imports(file).files) seen.add(next);
  return seen;
}

/** The first file reached from a test that needs an engine; null when there is none. */
function starterOf(test: string, imports: ImportReader): string | null {
  for (const file of reached(test, imports)) {
    if (imports(file).starts || engineHelpers.includes(file)) return file;
  }
  return null;
}

function imported(file: string, text: string): ImportScan {
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
