import { readFileSync } from "node:fs";
import { absentKeys } from "#platform/config/absent.ts";
import { accepted } from "./accepted.ts";
import { compareWithPublished, type Comparison, type Operation } from "./compare.ts";

const file = "docs/deviations.md";

/** Text below this line is generated. */
const mark = "<!-- Below this line: written by `npm run docs`. -->";

/** `docs/deviations.md`: the hand-written text, and after the mark the operations that are missing. */
export function deviationsMarkdown(): string {
  const [written = ""] = readFileSync(file, "utf8").split(mark);
  return [written.trimEnd(), "", mark, "", ...notThereYet(compareWithPublished())].join("\n");
}

function notThereYet(comparison: Comparison): string[] {
  const { published, missing, further } = comparison;
  return [
    "### Operations",
    "",
    `${published.length - missing.length} of the ${published.length} operations of the published ` +
    "contract are served. The others answer 404, or 405 where another method of the path is:",
    "",
    "| Family | Served | Not there yet |",
    "| --- | --- | --- |",
    ...families(comparison),
    "",
    "### Keys",
    "",
    "Setting one of these is refused ([configuration](configuration.md)):",
    "",
    "| What is not there yet | Keys |",
    "| --- | --- |",
    ...keys(),
    "",
    "## Parameters, bodies and answers",
    "",
    "Compared by a test, name by name and type by type. What a client could notice:",
    "",
    "| Difference | Why |",
    "| --- | --- |",
    ...accepted.map(({ difference, why }) => `| ${difference} | ${why} |`),
    "",
    "## Beyond the contract",
    "",
    "Operations that the contract does not list:",
    "",
    ...further.map(({ id, method, path }) => `- \`${method} ${path}\` (\`${id}\`)`),
    "",
  ];
}

function families({ published, missing }: Comparison): string[] {
  return [...new Set(missing.map(({ family }) => family))].map((family) => {
    const of = (operations: Operation[]) => operations.filter((one) => one.family === family);
    const [all, absent] = [of(published), of(missing)];
    const names = absent.map(({ id, method, path }) => `\`${id || `${method} ${path}`}\``);
    return `| ${family} | ${all.length - absent.length} of ${all.length} | ${names.join(", ")} |`;
  });
}

function keys(): string[] {
  const waiting = absentKeys.filter(({ yet }) => yet !== undefined);
  return [...new Set(waiting.map(({ yet }) => yet!))].map((yet) => {
    const names = waiting.filter((one) => one.yet === yet)
      .map(({ key, family }) => `\`${key}${family ? ".*" : ""}\``);
    return `| ${yet} | ${names.join(", ")} |`;
  });
}
