import { lastText } from "#kit/bytes.ts";
import { fileURLToPath } from "node:url";
import { linesOf } from "./protocol.ts";

/** The gRPC process as its parent holds it; the only place here that touches the runtime's own API. */
export interface ReceiverProcess {
  pid: number;
  /** Its output, line by line; ends with it. */
  lines: AsyncIterable<string>;
  /** Closes its standard input, at which the process ends. */
  release(): Promise<void>;
  kill(): void;
  /** Resolves with how it ended and the last 2,000 characters of its standard error. */
  exited: Promise<{ code: number; said: string }>;
}

/** The permissions of the gRPC process stand there. */
const script = fileURLToPath(new URL("start.sh", import.meta.url));

/**
 * Starts the gRPC process. It may reach the `hosts` (`host:port`) and nothing else; `first` is the
 * first line of its standard input, so that no secret is on its command line.
 */
export function startReceiverProcess(hosts: string[], first: string): ReceiverProcess {
  const process = new Deno.Command(script, {
    args: [hosts.join(",")],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
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
