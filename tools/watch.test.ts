import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { folders } from "./watch.mjs";

// A separate process under Node, as in `npm run dev`.
const driver = (root: string) => `
  import { spawn } from "node:child_process";
  import { runOnChange } from "${new URL("./watch.mjs", import.meta.url)}";
  let runs = 0;
  const running = runOnChange(${JSON.stringify(root)}, () => {
    console.log("run " + ++runs);
    return spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  });
  process.on("SIGTERM", () => running.stop("SIGTERM"));
`;

it("runOnChange starts again after a change of a source, and of a source only", async () => {
  const root = mkdtempSync(join(tmpdir(), "tributary-watch-"));
  for (const folder of folders) mkdirSync(join(root, folder));
  const child = spawn("node", ["--input-type=module", "-e", driver(root)]);
  let said = "";
  child.stdout.on("data", (text) => said += text);
  const exited = new Promise((done) => child.once("exit", done));
  await eventually(() => expect(said).toContain("run 1"));
  writeFileSync(join(root, "kit", "notes.md"), "no source");
  writeFileSync(join(root, "kit", "x.test.ts"), "a test");
  // The watcher becomes active a moment after its process, so the change is repeated until it is noticed,
  // with pauses long enough for the watcher to settle.
  let changed = 0;
  await eventually(() => {
    if (Date.now() - changed > 1_000) {
      changed = Date.now();
      writeFileSync(join(root, "kit", "x.ts"), String(changed));
    }
    expect(said).toContain("run 2");
  });
  child.kill("SIGTERM");
  await exited;
  expect(said.match(/run 1\n/g)).toHaveLength(1);
});
