import { fileURLToPath } from "node:url";
import { linesOf } from "./protocol.ts";

/** The gRPC process as its parent holds it; the only place here that touches the runtime's own API. */
export interface ReceiverProcess {
  pid: number;
  /** What it tells, line by line; ends with it. */
  lines: AsyncIterable<string>;
  /** Closes its standard input, which it takes as the word to end. */
  release(): Promise<void>;
  kill(): void;
  /** Resolves with how it ended and the last 2,000 characters of its standard error. */
  exited: Promise<{ code: number; said: string }>;
}

const child = fileURLToPath(new URL("./child.ts", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Where Deno finds what it keeps; nothing else of the environment is handed on. */
const kept = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME"];

/**
 * Starts the gRPC process. It may reach the `hosts` (`host:port`) and nothing else; `first` is the
 * first line of its standard input, so that no secret is on its command line.
 */
export function startReceiverProcess(hosts: string[], first: string): ReceiverProcess {
  const net = hosts.length > 0 ? `--allow-net=${hosts.join(",")}` : "--allow-net";
  const env = Object.fromEntries(
    kept.flatMap((name) => Deno.env.has(name) ? [[name, Deno.env.get(name)!]] : []),
  );
  const process = new Deno.Command(Deno.execPath(), {
    // The libraries ask for settings of their own; there are none in this environment.
    args: ["run", "--no-prompt", net, "--allow-env", child],
    cwd: root,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    clearEnv: true,
    env: { ...env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
  }).spawn();
  const said = lastText(process.stderr, 2_000);
  const input = process.stdin.getWriter();
  // A child that is gone already is noticed by its exit.
  input.write(new TextEncoder().encode(`${first}\n`)).catch(() => {});
  return {
    pid: process.pid,
    lines: linesOf(process.stdout),
    release: () => input.close().catch(() => {}),
    kill: () => process.kill("SIGKILL"),
    exited: process.status.then(async ({ code }) => ({ code, said: (await said).trim() })),
  };
}

async function lastText(stream: ReadableStream<Uint8Array>, length: number): Promise<string> {
  let tail = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-length);
  }
  return tail;
}
