import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { spawnTied } from "#test/support/engines/tied.ts";
import { send } from "../../../tools/engines/process.mjs";

/** Whether a process runs or is stopped; a zombie has ended. */
function lives(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  if (!existsSync("/proc/self/stat")) return signals(pid);
  if (!existsSync(file)) return false;
  const stat = readFileSync(file, "utf8");
  return !/[ZX]/.test(stat.charAt(stat.lastIndexOf(")") + 2));
}

function signals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A suite of its own that starts a tied program, and says which. */
const suite = `
  import { spawnTied } from "#test/support/engines/tied.ts";
  const tied = spawnTied("sleep", ["600"]);
  console.log(await tied.pid);
  await tied.ended;
`;

describe("spawnTied", () => {
  it.each([false, true])(
    "ends with a suite that is killed, stopped itself: %s",
    async (stopped) => {
      const parent = spawn(process.execPath, ["run", "-A", "--ext=ts", "-"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      parent.stdin.end(suite);
      const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
      const pid = Number((await lines.next()).value);
      expect(lives(pid)).toBe(true);
      if (stopped) send(pid, "SIGSTOP");
      parent.kill("SIGKILL");
      await eventually(() => expect(lives(pid)).toBe(false));
    },
  );

  it("passes on lines, signals and the exit code", async () => {
    const lines: string[] = [];
    const script = 'trap "exit 7" TERM; echo out; echo err >&2; while :; do sleep 0.05; done';
    const tied = spawnTied("/bin/sh", ["-c", script], {
      onLine: (line, stream) => lines.push(`${stream} ${line}`),
    });
    await eventually(() => expect(lines.sort()).toEqual(["stderr err", "stdout out"]));
    await tied.signal("SIGTERM");
    expect(await tied.ended).toBe(7);
    await tied.kill();
  });
});
