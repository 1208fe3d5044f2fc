import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";

/** Says in a file when it begins and ends what two must not do at once. */
const program = `
import { appendFileSync } from "node:fs";
import { takeTurn } from ${JSON.stringify(new URL("./turn.mjs", import.meta.url).href)};
const root = process.env.ROOT;
const release = takeTurn(root, "turn");
appendFileSync(root + "/said", "begin ");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
appendFileSync(root + "/said", "end ");
release();
`;

/** A folder with the program. */
function prepared(): string {
  const root = mkdtempSync(join(tmpdir(), "turn-"));
  writeFileSync(join(root, "program.mjs"), program);
  return root;
}

function started(root: string): Promise<number | null> {
  const child = spawn(process.execPath, ["run", "-A", join(root, "program.mjs")], {
    env: { ...process.env, ROOT: root },
    stdio: "inherit",
  });
  return new Promise((ended) => child.once("exit", ended));
}

it("processes that are started at once take turns", async () => {
  const root = prepared();
  expect(await Promise.all([1, 2, 3].map(() => started(root)))).toEqual([0, 0, 0]);
  expect(readFileSync(join(root, "said"), "utf8")).toBe("begin end ".repeat(3));
});

it("the turn of a process that died is taken over", async () => {
  const root = prepared();
  mkdirSync(join(root, ".cache"));
  writeFileSync(join(root, ".cache", "turn"), "999999999");
  expect(await started(root)).toBe(0);
  expect(readFileSync(join(root, "said"), "utf8")).toBe("begin end ");
});
