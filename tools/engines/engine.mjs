import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { end, launch, runs, send, until, untilAnswers } from "./process.mjs";
import * as recipes from "./recipes.mjs";

/** @typedef {"kafka" | "neo4j" | "redis"} EngineName */

/**
 * A running engine that tests may freeze, kill and restart.
 * @typedef {object} Engine
 * @property {EngineName} name
 * @property {Record<string, string>} env how to reach it; unchanged by restarts
 * @property {() => number} pid
 * @property {string} mark
 * @property {(signal: NodeJS.Signals) => void} signal `SIGSTOP` and `SIGCONT` freeze and wake it
 * @property {() => Promise<void>} kill `SIGKILL`; resolves when it is gone; idempotent
 * @property {() => Promise<void>} restart on the same data and ports; ends it first if it runs
 * @property {() => Promise<void>} stop orderly; idempotent
 */

/**
 * Starts an engine and resolves when it answers. Its data lies in `<parent>/<name>`.
 * @param {EngineName} name
 * @param {string} parent
 * @param {{ tied: boolean } & import("./recipes.mjs").RecipeOptions} options `tied`: it ends with this
 *   process, however that ends
 * @returns {Promise<Engine>}
 */
export async function startEngine(name, parent, { tied, ...options }) {
  const directory = join(parent, name);
  mkdirSync(directory, { recursive: true });
  const { command, mark, env, answers } = await recipes[name](directory, options);
  let pid = 0;
  const start = async () => {
    pid = await launch(command, directory, tied);
    await until(() => alive(), 5_000);
    await ready();
  };
  const alive = () => {
    if (!runs(pid, mark)) throw new Error(`${name} did not start:\n${lastLines(directory)}`);
  };
  const ready = () =>
    untilAnswers(pid, answers, 280_000).catch((cause) => {
      throw new Error(`${name} is not ready:\n${lastLines(directory)}`, { cause });
    });
  const stop = () => end(pid, mark);
  const signal = (/** @type {NodeJS.Signals} */ kind) => {
    alive();
    send(pid, kind);
  };
  await start();
  return {
    name,
    env,
    mark,
    pid: () => pid,
    signal,
    async kill() {
      if (runs(pid, mark)) send(pid, "SIGKILL");
      await until(() => {
        if (runs(pid, mark)) throw new Error(`${name} survives`);
      }, 10_000);
    },
    async restart() {
      await stop();
      await start();
    },
    stop,
  };
}

/** @param {string} directory */
function lastLines(directory) {
  return readFileSync(join(directory, "engine.log"), "utf8").split("\n").slice(-30).join("\n");
}
