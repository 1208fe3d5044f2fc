import { readFileSync } from "node:fs";
import { absentKeys } from "#platform/config/keys.ts";
import { accepted } from "./accepted.ts";
import { compareWithPublished, type Comparison } from "./compare.ts";

const file = "docs/reference/deviations.md";

/** Text below this line is generated. */
const mark = "<!-- Below this line: written by `npm run docs`. -->";

/** `docs/reference/deviations.md`: the hand-written text, and after the mark what is found out by comparing. */
export function deviationsMarkdown(): string {
  const [written = ""] = readFileSync(file, "utf8").split(mark);
  return [written.trimEnd(), "", mark, "", ...compared(compareWithPublished())].join("\n");
}

function compared({ published, further }: Comparison): string[] {
  return [
    `All ${published.length} operations of the published contract are served.`,
    "",
    "### Keys",
    "",
    "Setting one of these is refused ([configuration](../operate/configuration.md)):",
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

function keys(): string[] {
  const waiting = absentKeys.filter(({ yet }) => yet !== undefined);
  return [...new Set(waiting.map(({ yet }) => yet!))].map((yet) => {
    const names = waiting.filter((one) => one.yet === yet)
      .map(({ key, family }) => `\`${key}${family ? ".*" : ""}\``);
    return `| ${yet} | ${names.join(", ")} |`;
  });
}
