// All checks that work without running the product: `npm run ok`. It ends with the first that fails, unless `--all` is
// given. Names of checks as arguments run only those; `--update` rewrites generated documents; `--explain` prints what
// each check cannot detect.
import { parseArgs } from "node:util";
import { type Check, type CheckOptions } from "./check.ts";
import { alerts } from "./alerts.ts";
import { changes } from "./changes.ts";
import { compose } from "./compose.ts";
import { format, lint, types, webTypes } from "./deno.ts";
import { documents } from "./documents.ts";
import { generated } from "./generated.ts";
import { expressions } from "./expressions.ts";
import { unusedExports } from "./exports.ts";
import { fragments } from "./fragments.ts";
import { imports } from "./imports.ts";
import { licences } from "./licences.ts";
import { lookups } from "./lookups.ts";
import { messages } from "./messages.ts";
import { pins } from "./pins.ts";
import { schema } from "./schema.ts";
import { selfContained } from "./self-contained.ts";
import { tests } from "./tests.ts";
import { words } from "./words.ts";

const checks: Check[] = [
  format,
  lint,
  types,
  webTypes,
  imports,
  unusedExports,
  changes,
  lookups,
  expressions,
  tests,
  documents,
  generated,
  fragments,
  schema,
  messages,
  pins,
  licences,
  compose,
  alerts,
  selfContained,
  words,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
    explain: { type: "boolean", default: false },
  },
});
const chosen = checks.filter((check) =>
  positionals.length === 0 || positionals.includes(check.name)
);
if (chosen.length === 0) {
  console.error(`there are: ${checks.map((check) => check.name).join(", ")}`);
  process.exit(2);
}
if (values.explain) {
  for (const { name, cannotDetect } of chosen) console.log(`${name} cannot detect ${cannotDetect}`);
  process.exit(0);
}
const outcomes = await Promise.all(chosen.map((check) => report(check, values)));
process.exit(outcomes.every((passed) => passed) ? 0 : 1);

/** Prints one line, and the problems on failure. */
async function report(check: Check, options: CheckOptions): Promise<boolean> {
  const started = performance.now();
  const { summary, problems } = await check.run(options).catch((error: unknown) => ({
    summary: "could not run",
    problems: [error instanceof Error ? error.message : String(error)],
  }));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const passed = problems.length === 0;
  const line = `${passed ? "ok    " : "FAILED"} ${check.name.padEnd(14)} ${seconds} s  ${summary}`;
  console.log(passed ? line : [line, ...problems.map((p) => p.replace(/^/gm, "    "))].join("\n"));
  if (!passed && !values.all) process.exit(1);
  return passed;
}
