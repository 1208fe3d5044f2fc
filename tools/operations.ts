import { readFileSync } from "node:fs";
import { stateRows } from "#platform/ops/states.ts";

const file = "docs/operate/operations.md";

/** The line before the table that is generated. */
const mark = "<!-- This table: written by npm run docs from platform/ops/states. -->";

/** `docs/operate/operations.md`: the hand-written text, and in it the table of all states of workers. */
export function operationsMarkdown(): string {
  const [before, after] = readFileSync(file, "utf8").split(mark) as [string, string];
  const rest = after.slice(after.indexOf("\n## "));
  const rows = stateRows.map(([state, ...cells]) =>
    `| ${[`\`${state}\``, ...cells].join(" | ")} |`
  );
  const table = [
    "| State | Workers | Meaning | What to do | Recovery time |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map((row) => row.replace(/ {2}\|$/, " |")),
  ];
  return `${before}${mark}\n\n${table.join("\n")}\n${rest}`;
}
