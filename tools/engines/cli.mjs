// Kafka, Neo4j and Redis without Docker, for tests and for trying things out:
//
//   node tools/engines/cli.mjs start   starts them, waits until they answer
//   node tools/engines/cli.mjs env     prints `export` lines with their addresses
//   node tools/engines/cli.mjs stop    stops them and removes their data
//
// `--state <file>` names where the running set is recorded, so that several can stand side by side;
// `--short-lived` starts them with less CPU, for tests of some minutes.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startEngine } from "./engine.mjs";
import { cache } from "./jars.mjs";
import { end, runs } from "./process.mjs";

/**
 * @typedef {object} State
 * @property {string} directory
 * @property {{ name: string, pid: number, mark: string }[]} engines
 * @property {Record<string, string>} env
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { state: { type: "string" }, "short-lived": { type: "boolean", default: false } },
});
const file = resolve(values.state ?? join(cache, "running.json"));

const verbs = { start, env, stop };
const verb = verbs[/** @type {keyof typeof verbs} */ (positionals[0])];
if (!verb) {
  fail("usage: node tools/engines/cli.mjs start|env|stop [--state <file>] [--short-lived]");
}
try {
  await verb();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

async function start() {
  const running = existsSync(file) ? state() : null;
  if (running?.engines.some(({ pid, mark }) => runs(pid, mark))) {
    return fail(`engines are running already (${file}): stop them first, or name another --state`);
  }
  const directory = mkdtempSync(join(tmpdir(), "tributary-engines-"));
  const outcomes = await Promise.allSettled(
    /** @type {const} */ (["redis", "kafka", "neo4j"]).map((name) =>
      startEngine(name, directory, { tied: false, shortLived: values["short-lived"] })
    ),
  );
  const engines = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" ? outcome.value : []
  );
  const reasons = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? outcome.reason : []
  );
  if (reasons.length > 0) {
    await Promise.all(engines.map((engine) => engine.stop()));
    throw new Error(reasons.map((reason) => reason.message).join("\n"));
  }
  const record = {
    directory,
    engines: engines.map(({ name, pid, mark }) => ({ name, pid: pid(), mark })),
    env: Object.assign({}, ...engines.map((engine) => engine.env)),
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(record, null, 2), { mode: 0o600 });
  console.log(`kafka, neo4j and redis run in ${directory}`);
}

function env() {
  for (const [name, value] of Object.entries(state().env)) console.log(`export ${name}=${value}`);
}

async function stop() {
  const { directory, engines } = state();
  await Promise.all(engines.map(({ pid, mark }) => end(pid, mark)));
  rmSync(directory, { recursive: true, force: true });
  rmSync(file);
  console.log("stopped");
}

/** @returns {State} */
function state() {
  if (!existsSync(file)) fail("no engines are running: node tools/engines/cli.mjs start");
  return JSON.parse(readFileSync(file, "utf8"));
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}
