// Fixes what can be fixed automatically: lint, generated documents, format. `npm run ok` shows the rest.
import { spawnSync } from "node:child_process";
import process from "node:process";

const steps = [
  ["lint", "--fix", "--quiet"],
  ["run", "-A", "tools/docs.ts"],
  ["fmt", "--quiet"],
];
// Every step runs, even after a failed one: a lint problem is no reason not to format.
const failed = steps.filter((step) =>
  spawnSync(process.execPath, step, { stdio: "inherit" }).status !== 0
);
process.exit(failed.length === 0 ? 0 : 1);
