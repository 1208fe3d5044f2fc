// The entry point of every command: `npm run <name>` runs this file. Plain Node, since it must run before
// anything is installed; it installs what is missing and then starts Deno.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoBinary, ensureInstalled } from "./install.mjs";
import { argumentsFor } from "./paths.mjs";
import { serviceNames } from "./services.mjs";
import { runOnChange } from "./watch.mjs";
import { ensureWebBuilt } from "./web/ensure.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const vitest = ["run", "-A", "node_modules/vitest/vitest.mjs"];
const tool = (file) => ["run", "-A", `tools/${file}`];

const commands = {
  test: [...vitest, "run"],
  "test:watch": [...vitest, "watch"],
  "test:long": [...vitest, "run", "--config", "vitest.long.config.ts"],
  "test:unit": [...vitest, "run", "--config", "vitest.unit.config.ts"],
  fix: tool("fix.ts"),
  ok: tool("checks/ok.ts"),
  docs: tool("docs.ts"),
  changelog: tool("changelog.ts"),
  release: tool("release.ts"),
  backup: tool("backup.ts"),
  restore: tool("restore.ts"),
  collect: tool("collect.ts"),
  schema: tool("schema.ts"),
  migrate: tool("migrate.ts"),
  licences: tool("licences.ts"),
  "support-bundle": tool("support-bundle.ts"),
  demo: tool("demo/main.ts"),
  failover: tool("failover.ts"),
  graph: tool("graph.ts"),
  "dead-letters": tool("dead-letters.ts"),
  lag: tool("lag.ts"),
  messages: tool("messages.ts"),
  notifications: tool("notifications.ts"),
  password: tool("password.ts"),
  proto: tool("proto.ts"),
  sql: tool("sql.ts"),
  stale: tool("stale.ts"),
  traces: tool("traces.ts"),
  pictures: tool("web/pictures.ts"),
  sink: [
    "run",
    "--allow-net=127.0.0.1",
    "--allow-env",
    "--allow-sys",
    "--allow-read=.",
    "tools/sink.mjs",
  ],
  bench: ["run", "-A", "bench/main.ts"],
  fuzz: tool("fuzz.ts"),
  schemathesis: tool("schemathesis/main.ts"),
};

const [name = "start", ...rest] = process.argv.slice(2);
const service = { start: "all", dev: "all", service: rest[0] }[name];
if (name === "service") rest.shift();
refuseUnknown();
ensureInstalled(root, service ? "running" : "development");
if (name !== "dev" && (service === "all" || service === "api")) ensureWebBuilt(root);
const command = service ? await startOf(service) : commands[name];

function startOf(service) {
  return argumentsFor(root, service, process.env).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

function refuseUnknown() {
  if (name === "service" && !serviceNames.includes(service)) {
    console.error(`npm run service -- <name>: there are ${serviceNames.join(", ")}`);
    process.exit(2);
  }
  if (service || commands[name]) return;
  const names = ["start", "dev", "service", ...Object.keys(commands)];
  console.error(`Unknown command ${name}; there are: ${names.join(", ")}`);
  process.exit(2);
}

const launch = () =>
  spawn(denoBinary(root), [...command, ...rest], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      DENO_NO_UPDATE_CHECK: "1",
      ...(name === "test:long" && { TRIBUTARY_TEST_LONG: "1" }),
    },
  });
const running = name === "dev" ? runOnChange(root, launch) : runOnce(launch());
if (name === "dev") serveInterface();

/** The web interface with fast refresh, at a port of its own; it ends with this process. */
function serveInterface() {
  const vite = ["run", "-A", "node_modules/vite/bin/vite.js", "--config", "web/vite.config.ts"];
  const child = spawn(denoBinary(root), vite, { cwd: root, stdio: "inherit" });
  process.on("exit", () => child.kill());
}

/** Exits together with the child, and with its exit code. */
function runOnce(child) {
  child.on("error", (error) => {
    console.error(`Cannot run Deno: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code ?? 1));
  return { stop: (signal) => child.kill(signal) };
}

// A terminal sends Ctrl-C to the whole process group; a service manager signals only this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (name === "dev" || signal !== "SIGINT" || !process.stdin.isTTY) running.stop(signal);
  });
}
// On a signal npm ends itself and its shell without telling this process; so a changed parent stops the
// child.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid === parent || running.stop("SIGTERM"), 500).unref();
}
