// Tries what a service has no business to do, with the permissions that it was started with. Prints as JSON
// what each attempt came to: `denied`, or what it got. Arguments: the scripts that it may run, separated by
// commas, and the directory that it may write, or nothing.
import { join } from "node:path";
import process from "node:process";

const scripts = process.argv[2]!.split(",").filter((script) => script !== "");
const dataDir = process.argv[3];

function run(command: string, env?: Record<string, string>): string {
  const { stdout } = new Deno.Command(command, { args: ["-c", "echo ran"], env }).outputSync();
  return new TextDecoder().decode(stdout);
}

const attempts: Record<string, () => unknown> = {
  "reads /etc/hosts": () => Deno.readTextFileSync("/etc/hosts"),
  "reads /etc/shadow": () => Deno.readTextFileSync("/etc/shadow"),
  "reads .env": () => Deno.readTextFileSync(".env"),
  "reads .git": () => Deno.readTextFileSync(".git"),
  "reads its environment": () => Deno.readTextFileSync("/proc/self/environ"),
  "writes to /tmp": () => Deno.writeTextFileSync("/tmp/tributary-hostile", "x"),
  "writes main.ts": () => Deno.writeTextFileSync("main.ts", ""),
  "writes tributary.yaml": () => Deno.writeTextFileSync("tributary.yaml", ""),
  "runs sh": () => run("/bin/sh"),
  "runs sh by name": () => run("sh"),
  "runs the runtime": () => run(Deno.execPath()),
  "runs the runtime of the repository": () => run("node_modules/deno/deno"),
  "signals its parent": () => Deno.kill(Deno.ppid, "SIGCONT"),
  "loads a library": () => process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6"),
};
for (const script of scripts) {
  attempts[`writes ${script}`] = () => Deno.writeTextFileSync(script, "#!/bin/sh\necho ran");
  attempts[`makes ${script} writable`] = () => Deno.chmodSync(script, 0o777);
  attempts[`preloads a library into ${script}`] = () => run(script, { LD_PRELOAD: "/tmp/x.so" });
}
if (dataDir) {
  attempts["runs what it wrote"] = () => {
    Deno.writeTextFileSync(join(dataDir, "own.sh"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
    return run(join(dataDir, "own.sh"));
  };
  attempts["links out of its directory"] = () => {
    Deno.symlinkSync("/etc/hosts", join(dataDir, "link"));
    return Deno.readTextFileSync(join(dataDir, "link"));
  };
}

function outcomeOf(attempt: () => unknown): string {
  try {
    return `got ${attempt()}`;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable ? "denied" : `failed otherwise: ${error}`;
  }
}

const outcomes = Object.entries(attempts).map(([name, attempt]) => [name, outcomeOf(attempt)]);
const seen = Object.keys({ ...process.env }).filter((name) => name.startsWith("HOSTILE"));
console.log(JSON.stringify([...outcomes, ["sees other variables", seen.join() || "denied"]]));
