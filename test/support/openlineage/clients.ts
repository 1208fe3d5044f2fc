import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { jarsOf } from "../../../tools/engines/jars.mjs";
import { virtualEnvironment } from "../../../tools/venv.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Installs what is needed, once; takes a minute or two then. */
export function installPythonClient(): string {
  const requirements = join(here, "requirements.txt");
  return join(virtualEnvironment("openlineage-python", requirements), "python");
}

/**
 * Emits, by the OpenLineage client of Python, a START and a COMPLETE of each of `runs` runs in this job namespace, then a
 * job event and a dataset event; set up by `env` alone. Resolves with what the client logged; rejects when it gave an
 * event up.
 */
export async function emitByPython(
  env: Record<string, string>,
  namespace: string,
  runs: number,
): Promise<string> {
  const python = installPythonClient();
  const { code, said } = await run(python, [join(here, "emit.py"), namespace, String(runs)], env);
  if (code !== 0) throw new Error(said);
  return said;
}

/** Emits a START and a COMPLETE of each of `runs` runs by the OpenLineage client of Java, set up by `env` alone. */
export async function emitByJava(
  env: Record<string, string>,
  namespace: string,
  runs: number,
): Promise<string> {
  const java = join(here, "java");
  const jars = await jarsOf("openlineage-java", join(java, "pom.xml"));
  const source = join(java, "Emit.java");
  const { code, said } = await run(
    "java",
    ["-cp", join(jars, "*"), source, namespace, String(runs)],
    env,
  );
  if (code !== 0) throw new Error(said);
  return said;
}

/** What Spark reaches into, which Java has kept to itself since version 17. */
const opened = [
  "lang",
  "lang.invoke",
  "lang.reflect",
  "io",
  "net",
  "nio",
  "util",
  "util.concurrent",
]
  .concat("util.concurrent.atomic").map((name) => `java.${name}`)
  .concat("sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar");

/**
 * Sums the orders of the CSV file `from` into a Parquet file `into`, by Spark within one process, whose listener is set
 * up by these properties alone. Resolves with what Spark logged.
 */
export async function sumBySpark(
  properties: Record<string, string>,
  { from, into }: { from: string; into: string },
): Promise<string> {
  const spark = join(here, "spark");
  const jars = await jarsOf("openlineage-spark", join(spark, "pom.xml"));
  const own = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
    ...properties,
  };
  const { code, said } = await run("java", [
    "-Xmx512m",
    ...opened.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
    ...Object.entries(own).map(([name, value]) => `-D${name}=${value}`),
    ...["-cp", join(jars, "*"), join(spark, "Totals.java"), from, into],
  ], {});
  if (code !== 0) throw new Error(said);
  return said;
}

/**
 * Copies records of the Kafka topic `from` into `into` by a streaming job of Flink on a cluster within one process, which is
 * cancelled when `until` resolves; its listener is set up by these properties alone. Resolves with what Flink logged.
 */
export async function copyByFlink(
  properties: Record<string, string>,
  { brokers, from, into, namespace, until }: {
    brokers: string;
    from: string;
    into: string;
    namespace: string;
    until: Promise<void>;
  },
): Promise<string> {
  const flink = join(here, "flink");
  const jars = await jarsOf("openlineage-flink", join(flink, "pom.xml"));
  const { code, said } = await run(
    "java",
    [
      "-Xmx512m",
      ...opened.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
      ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
      ...["-cp", join(jars, "*"), join(flink, "Copy.java")],
      ...[brokers, from, into, namespace],
    ],
    {},
    { inputUntil: until },
  );
  if (code !== 0) throw new Error(said);
  return said;
}

/**
 * Captures so many changes of a PostgreSQL by the engine of Debezium, which is set up by these properties. Resolves with
 * what it printed; rejects when that many do not come.
 */
export async function captureByDebezium(
  properties: Record<string, string>,
  { changes }: { changes: number },
): Promise<string> {
  const debezium = join(here, "debezium");
  const jars = await jarsOf("openlineage-debezium", join(debezium, "pom.xml"));
  const all = {
    name: "capture",
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "offset.storage": "org.apache.kafka.connect.storage.MemoryOffsetBackingStore",
    "plugin.name": "pgoutput",
    transforms: "openlineage",
    "transforms.openlineage.type": "io.debezium.transforms.openlineage.OpenLineage",
    ...properties,
  };
  const { code, said } = await run("java", [
    "-Xmx512m",
    ...Object.entries(all).map(([name, value]) => `-Ddebezium.${name}=${value}`),
    ...["-cp", join(jars, "*"), join(debezium, "Capture.java"), String(changes)],
  ], {});
  if (code !== 0) throw new Error(said);
  return said;
}

/**
 * Runs `dbt-ol`, the wrapper of dbt that emits OpenLineage, with these arguments on a copy in `directory` of a small
 * project that keeps its tables in DuckDB. Resolves with its exit code, 1 where a test of the project fails.
 */
export async function runDbt(
  env: Record<string, string>,
  directory: string,
  ...args: string[]
): Promise<{ code: number; said: string }> {
  cpSync(join(here, "dbt"), directory, { recursive: true });
  return await dbtCommand("dbt-ol", env, directory, args);
}

/** Builds a copy in `directory` of that project by `dbt` alone, with all of its artifacts; resolves with their folder. */
export async function buildByDbt(directory: string): Promise<string> {
  cpSync(join(here, "dbt"), directory, { recursive: true });
  // One of its tests fails.
  for (
    const [command, expected] of [["seed", 0], ["run", 0], ["docs generate", 0], [
      "test",
      1,
    ]] as const
  ) {
    const { code, said } = await dbtCommand("dbt", {}, directory, command.split(" "));
    if (code !== expected) throw new Error(`dbt ${command}: ${code} ${said}`);
  }
  return join(directory, "target");
}

function dbtCommand(
  program: "dbt" | "dbt-ol",
  env: Record<string, string>,
  directory: string,
  args: string[],
): Promise<{ code: number; said: string }> {
  const programs = virtualEnvironment("openlineage-dbt", join(here, "requirements-dbt.txt"));
  const { PATH = "" } = process.env;
  const given = [...args, "--project-dir", directory, "--profiles-dir", directory];
  return run(join(programs, program), given, {
    PATH: `${programs}:${PATH}`,
    DBT_SEND_ANONYMOUS_USAGE_STATS: "false",
    ...env,
  }, { cwd: directory });
}

/**
 * Runs a program with almost no environment, whose input ends when `inputUntil` resolves; resolves with its exit code and
 * what it printed.
 */
function run(
  file: string,
  args: string[],
  env: Record<string, string>,
  { cwd, inputUntil }: { cwd?: string; inputUntil?: Promise<void> } = {},
): Promise<{ code: number; said: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const options = { cwd, env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: "1", ...env } };
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { ...options, timeout: 300_000, maxBuffer: 1 << 24 },
      (error, out, err) => {
        const code = error ? error.code : 0;
        if (typeof code !== "number") reject(error);
        else resolve({ code, said: out + err });
      },
    );
    inputUntil?.then(() => child.stdin?.end());
  });
}
