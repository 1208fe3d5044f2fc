import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { launch, send, untilAnswers } from "../../../tools/engines/process.mjs";

const launched: number[] = [];
afterEach(() => launched.splice(0).forEach((pid) => send(pid, "SIGKILL")));

async function launchShell(script: string): Promise<{ pid: number; log: () => string }> {
  const folder = mkdtempSync(join(tmpdir(), "tributary-launch-"));
  const pid = await launch(["sh", "-c", script], folder, true);
  launched.push(pid);
  return { pid, log: () => readFileSync(join(folder, "engine.log"), "utf8") };
}

test("a program that becomes another one while it starts is waited for", async () => {
  const rounds = Array.from({ length: 40 }, (_, n) => n);
  const script = `exec sh -c 'echo ready; exec sleep 60'`;
  const ready = await Promise.all(rounds.map(async () => {
    const { pid, log } = await launchShell(script);
    await untilAnswers(pid, () => expect(log()).toBe("ready\n"), 20_000);
    return log();
  }));
  expect(new Set(ready)).toEqual(new Set(["ready\n"]));
});

test("a program that ends is not waited for", async () => {
  const { pid } = await launchShell("exit 3");
  const never = () => {
    throw new Error("does not answer");
  };
  await expect(untilAnswers(pid, never, 600_000)).rejects.toThrow("ended before it was ready");
});

test("what a program last said is the error once the time is over", async () => {
  const { pid } = await launchShell("exec sleep 60");
  const never = () => {
    throw new Error("does not answer");
  };
  await expect(untilAnswers(pid, never, 300)).rejects.toThrow("does not answer");
});
