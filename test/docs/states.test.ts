import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shippedFiles } from "../../tools/checks/program.ts";

/** Rows of the table under a heading, as their cells. */
function rowsUnder(heading: string): string[][] {
  const text = readFileSync("docs/operate/operations.md", "utf8");
  const section = text.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return section.split("\n").filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | ?\|$/g, "").trim()));
}

const word = /"([a-z][a-z_]+)"/g;

/** Names of states in the source of a worker: of its health, its fields called state, and its lists of them. */
function statesIn(text: string): string[] {
  const patterns = [
    /\bready\b[^;]{0,60}\bstate: ([^\n]*)/g,
    /#state(?:: [^=\n]+)? = ([^\n]*)/g,
    /\bconst state = ([^\n]*)/g,
    /#failed\(("\w+"), /g,
    /[sS]tates = \[([^\]]*)\]/g,
    /^export const exhausted = ([^\n]*)/gm,
  ];
  return patterns.flatMap((place) => [...text.matchAll(place)])
    .flatMap(([, found]) => [...found!.matchAll(word)].map(([, name]) => name!));
}

async function statesOfWorkers(): Promise<Set<string>> {
  const files = await shippedFiles();
  const texts = files.map((file) => readFileSync(file, "utf8"))
    .filter((text) => /\bHealth\b|\bhealth: |[sS]tates = \[|const exhausted/.test(text));
  return new Set(texts.flatMap(statesIn));
}

describe("docs/operate/operations.md", () => {
  it("has a row for every state of a worker, and for no other", async () => {
    const documented = rowsUnder("Every state").map(([state]) => state!.replaceAll("`", ""));
    expect(documented).toEqual([...new Set(documented)]);
    expect(documented.toSorted()).toEqual([...await statesOfWorkers()].sort());
  });

  it("has a row for every metric of sign-in and access", async () => {
    const files = (await shippedFiles()).filter((file) => file.startsWith("services/api/access/"));
    const metrics = files.flatMap((file) =>
      readFileSync(file, "utf8").match(/tributary_\w+/g) ?? []
    );
    const documented = readFileSync("docs/operate/operations.md", "utf8").split(
      "## Every state",
    )[0]!;
    expect(metrics.length).toBeGreaterThan(4);
    expect(metrics.filter((name) => !documented.includes(`\`${name}`))).toEqual([]);
  });

  it("says of every state what to do, and of every command how long it takes", () => {
    for (const [state, ...cells] of rowsUnder("Every state")) {
      expect(cells.slice(0, 3).every((cell) => cell !== ""), state).toBe(true);
    }
    for (const [command, does, seconds] of rowsUnder("Every command")) {
      expect([does !== "", /\d s/.test(seconds!)], command).toEqual([true, true]);
    }
  });
});
