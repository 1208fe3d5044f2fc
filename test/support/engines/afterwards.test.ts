import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { afterwards } from "./afterwards.ts";
import { spawnTied } from "./tied.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-afterwards-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("runs the script once the process is killed, and not before", async () => {
  const [file, lines] = [join(folder, "killed"), [] as string[]];
  const module = new URL("./afterwards.ts", import.meta.url).href;
  const code = `(await import("${module}")).afterwards("touch ${file}");
    console.log("running");
    setInterval(() => {}, 1_000);`;
  const flags = ["eval", code];
  const child = spawnTied(process.execPath, flags, { onLine: (line) => lines.push(line) });
  await eventually(() => expect(lines).toContain("running"));
  expect(existsSync(file)).toBe(false);
  await child.kill();
  await eventually(() => expect(existsSync(file)).toBe(true));
});

it("runs the script when it is told to", async () => {
  const file = join(folder, "told");
  const run = afterwards(`touch ${file}`);
  expect(existsSync(file)).toBe(false);
  run();
  await eventually(() => expect(existsSync(file)).toBe(true));
});
