import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { send } from "../../../tools/engines/process.mjs";

/** A program that ends with this process, however this one ends, and even while it is stopped (SIGSTOP). */
export interface TiedProcess {
  /** Resolves with its process id. */
  pid: Promise<number>;
  /** Resolves with its exit code when it has ended. */
  ended: Promise<number | null>;
  /** Sends a signal; a program that has ended already is no error. */
  signal(kind: NodeJS.Signals): Promise<void>;
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
}

export interface TiedOptions extends Pick<SpawnOptions, "cwd" | "env"> {
  /** Called with each line that it writes. */
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** Group that it runs as; default: that of this process. */
  gid?: number;
}

// The shell kills the program when our pipe closes.
const guard = 'exec 3<&0; "$@" </dev/null & child=$!; echo "pid $child"; ' +
  "( read -r _ <&3; kill -9 $child ) >/dev/null 2>&1 & reader=$!; " +
  "wait $child; code=$?; kill $reader; exit $code";

/** Starts a program under a shell that outlives neither it nor this process. */
export function spawnTied(program: string, args: string[], options: TiedOptions = {}): TiedProcess {
  const { onLine = () => {}, gid, ...rest } = options;
  // Deno's `spawn` ignores `gid`.
  const regrouped = gid === undefined
    ? []
    : ["setpriv", "--regid", String(gid), "--clear-groups", "--"];
  const child = spawn("/bin/sh", ["-c", guard, "guard", ...regrouped, program, ...args], {
    ...rest,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((end) => child.once("exit", (code) => end(code)));
  const pid = new Promise<number>((found, failed) => {
    void ended.then((code) => failed(new Error(`${program} ended with ${code}`)));
    readLines(child, (line, stream) => {
      const pidText = stream === "stdout" ? /^pid (\d+)$/.exec(line)?.[1] : undefined;
      if (pidText) found(Number(pidText));
      else onLine(line, stream);
    });
  });
  // Nobody has to wait for it.
  pid.catch(() => {});
  const signal = async (kind: NodeJS.Signals) => send(await pid, kind);
  return {
    pid,
    ended,
    signal,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        await signal("SIGKILL").catch(() => {});
      }
      await ended;
    },
  };
}

function readLines(child: ChildProcess, onLine: NonNullable<TiedOptions["onLine"]>): void {
  for (const name of ["stdout", "stderr"] as const) {
    let rest = "";
    child[name]!.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line, name);
    });
  }
}
