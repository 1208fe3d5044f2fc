import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removed } from "#test/support/engines/directory.ts";
import { end, freePort, launch, untilAnswers } from "../../../tools/engines/process.mjs";

/** A server of another project from which a connection reads, in a process and a folder of its own. */
export interface SourceServer {
  url: string;
  folder: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export interface SourceServerOptions {
  name: string;
  /** Fills its folder before it starts. */
  prepare?: (folder: string) => Promise<void>;
  /** The command, in which the folder or the port must appear, so that no other process is taken for it. */
  command: (folder: string, port: number) => string[];
  env?: (folder: string, port: number) => Record<string, string>;
  /** Rejects while it is not ready. */
  answers: (url: string) => Promise<unknown>;
  /** Milliseconds until it must be ready. */
  within?: number;
}

/** Starts a server and resolves when it answers. */
export async function startSourceServer(options: SourceServerOptions): Promise<SourceServer> {
  const { name, prepare, command, env, answers, within = 120_000 } = options;
  const folder = mkdtempSync(join(tmpdir(), `tributary-${name}-`));
  await prepare?.(folder);
  const port = await freePort();
  const variables = Object.entries(env?.(folder, port) ?? {}).map(([key, value]) =>
    `${key}=${value}`
  );
  const mark = command(folder, port).find((one) => one.includes(folder)) ?? String(port);
  const pid = await launch(["env", ...variables, ...command(folder, port)], folder, true);
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await end(pid, mark);
    await removed(folder);
  };
  try {
    await untilAnswers(pid, () => answers(url), within);
    return { url, folder, stop };
  } catch (error) {
    const log = readFileSync(join(folder, "engine.log"), "utf8").split("\n").slice(-30).join("\n");
    await stop();
    throw new Error(`${name} is not ready:\n${log}`, { cause: error });
  }
}

/** Rejects unless a GET is answered with success. */
export async function requireAnswer(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
}
