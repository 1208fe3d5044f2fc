import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Ground } from "./ground.ts";
import type { Target } from "./hostilities.ts";

/** What a hostile process is told to do. */
export interface HostileOrder {
  kind: string;
  target: Omit<Target, "mallory">;
  /** The session of the hostile user. */
  cookies: [name: string, value: string][];
}

/** How often a hostile caller did its worst, and what it was answered by then, by status. */
export interface HostileResult {
  attempts: number;
  answers: Record<string, number>;
}

export interface HostileCaller {
  /** Ends it. */
  stop(): Promise<HostileResult>;
}

/** Starts a hostile caller in a process of its own; resolves when it begins. */
export async function startHostileCaller(
  { urls, deep, entities, large, mallory }: Ground,
  kind: string,
): Promise<HostileCaller> {
  const file = fileURLToPath(new URL("./hostile-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["run", "-A", file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const order: HostileOrder = {
    kind,
    target: { urls, deep, entities, large },
    cookies: [...mallory.cookies],
  };
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  child.stdin!.write(`${JSON.stringify(order)}\n`);
  if ((await lines.next()).done) throw new Error(`the hostile caller did not begin: ${kind}`);
  return {
    async stop() {
      child.stdin!.end();
      const { value } = await lines.next();
      await ended;
      return JSON.parse(value);
    },
  };
}
