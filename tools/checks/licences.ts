import { licenceProblems } from "../licences/allowed.ts";
import { packagesOfProduct } from "../licences/report.ts";
import type { Check } from "./check.ts";

/** Whether the report is current is found by the check `generated`. */
export const licences: Check = {
  name: "licences",
  cannotDetect: "a package whose files have another licence than its package.json says",
  async run() {
    const packages = await packagesOfProduct();
    const problems = licenceProblems(packages).map((problem) => `package-lock.json: ${problem}`);
    return { summary: `${packages.length} packages that reach users`, problems };
  },
};
