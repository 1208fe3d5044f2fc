// Prints the test files that failed, one a line, if they are so few that a crowded machine may be
// why: .ci/run then runs them once more by themselves. More than that is a defect, and prints nothing.
import process from "node:process";
import { failuresOf, resultsIn } from "./ci-report.mjs";

const most = 3;
const failed = resultsIn(process.argv[2] ?? "").filter((result) => failuresOf(result).length > 0);
if (failed.length <= most) { for (const { name } of failed) console.log(name); }
