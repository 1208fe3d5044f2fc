import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "#kit/errors.ts";
import { dockerEngine, dockerEngines } from "#test/support/engines/docker-engines.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { type EngineName, startEngine } from "../../../tools/engines/engine.mjs";

const variables: Record<EngineName, string> = {
  kafka: "TEST_KAFKA_BROKERS",
  neo4j: "TEST_NEO4J_URL",
  redis: "TEST_REDIS_URL",
};

/**
 * Starts the engines that the distributed suites need and the environment does not name: in Docker
 * if an engine answers there, else as local processes. Their addresses go into the environment,
 * which the test processes inherit. Returns what stops them; throws when one cannot be had.
 */
export async function startSharedEngines(): Promise<() => Promise<void>> {
  const names = Object.keys(variables) as EngineName[];
  const wanted = names.filter((name) => !process.env[variables[name]]);
  if (!distributed() || wanted.length === 0) return () => Promise.resolve();
  const docker = await dockerEngine();
  const directory = mkdtempSync(join(tmpdir(), "tributary-test-engines-"));
  const outcomes = await Promise.allSettled(
    wanted.map((name) =>
      "library" in docker ? dockerEngines[name](docker.library) : startLocal(name, directory)
    ),
  );
  const started = outcomes.flatMap((o) => o.status === "fulfilled" ? o.value : []);
  const stop = async () => {
    await Promise.all(started.map((engine) => engine.stop()));
    rmSync(directory, { recursive: true, force: true });
  };
  const failures = outcomes.flatMap((o) => o.status === "rejected" ? messageOf(o.reason) : []);
  if (failures.length > 0) {
    await stop();
    const where = "missing" in docker ? `no Docker engine (${docker.missing}), and ` : "";
    throw new Error(`The distributed tests lack engines: ${where}${failures.join("\n")}`);
  }
  for (const engine of started) Object.assign(process.env, engine.env);
  return stop;
}

/** Stopped by a kill: nobody wants its data, and an orderly end takes seconds. */
async function startLocal(name: EngineName, directory: string) {
  const engine = await startEngine(name, directory, { tied: true, shortLived: true });
  return { env: engine.env, stop: engine.kill };
}
