// `npm run licences` writes docs/reference/licences.md, and fails when a package has a licence that is not allowed.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { licenceProblems } from "./licences/allowed.ts";
import { licenceReport, licencesMarkdown, packagesOfProduct } from "./licences/report.ts";

const packages = await packagesOfProduct();
writeFileSync(licenceReport, licencesMarkdown(packages));
console.log(`written ${licenceReport}: ${packages.length} packages`);
const problems = licenceProblems(packages);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
