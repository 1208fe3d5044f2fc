// Puts right what can be by itself: lint, generated documents, format. What is left, `npm run ok` tells.
import { spawnSync } from "node:child_process";
import process from "node:process";

const steps = [
  ["lint", "--fix", "--quiet"],
  ["run", "-A", "tools/docs.ts"],
  ["fmt", "--quiet"],
];
// Each has its turn, whatever became of the one before: what lint cannot mend is no reason not to format.
const failed = steps.filter((step) =>
  spawnSync(process.execPath, step, { stdio: "inherit" }).status !== 0
);
process.exit(failed.length === 0 ? 0 : 1);
