import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { jarsOf } from "./jars.mjs";
import { kafkaAnswers, neo4jAnswers, redisAnswers } from "./probes.mjs";
import { freePort } from "./process.mjs";
import { kafkaTls, neo4jTls, redisTls } from "./tls.mjs";

/** @typedef {import("./tls.mjs").Tls} Tls */

const run = promisify(execFile);

/**
 * Flags of the JVM. An engine of a test lives for minutes: what the second compiler and the parallel collector
 * cost, it does not earn back (Neo4j is ready after 16 s of CPU instead of 27).
 * @param {boolean} [shortLived]
 */
const jvmFlags = (shortLived) =>
  shortLived ? ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] : ["-XX:+UseG1GC"];

/** Of the tools that prepare an engine. */
const toolFlags = jvmFlags(true);

/**
 * @typedef {object} RecipeOptions
 * @property {Tls} [tls] it accepts only TLS and requires a password
 * @property {boolean} [shortLived] it starts with less CPU and is slower in the long run
 */

/**
 * How to run an engine in a directory of its own, on free loopback ports that restarts keep.
 * @typedef {object} Recipe
 * @property {string[]} command
 * @property {string} mark part of its command line that no other process has
 * @property {Record<string, string>} env what tests need to reach it
 * @property {() => Promise<void>} answers rejects while it is not ready
 */

/**
 * One broker that is its own controller; takes records of 22 MB.
 * @param {string} directory
 * @param {RecipeOptions} [options] with `tls`: SASL over TLS beside a plain listener, which the broker itself uses
 * @returns {Promise<Recipe>}
 */
export async function kafka(directory, { tls, shortLived } = {}) {
  const lib = `${await jarsOf("kafka")}/*`;
  const [port, controller, secured] = [await freePort(), await freePort(), await freePort()];
  const file = join(directory, "server.properties");
  const settings = kafkaSettings(directory, port, controller);
  writeFileSync(
    file,
    properties(tls ? { ...settings, ...kafkaTls(port, controller, secured, tls) } : settings),
  );
  const format = ["kafka.tools.StorageTool", "format", "--ignore-formatted", "-c", file];
  for (const kind of tls ? ["SCRAM-SHA-256", "SCRAM-SHA-512"] : []) {
    format.push("--add-scram", `${kind}=[name=tributary,password=${tls?.password}]`);
  }
  // One base64url id in 64 begins with a hyphen, which the tool would take for an option.
  const id = randomBytes(16).toString("base64url").replace(/^-/, "A");
  await run("java", [...toolFlags, "-Xmx128m", "-cp", lib, ...format, "-t", id], {
    timeout: 60_000,
  });
  const logging = `-Dlog4j2.configurationFile=${
    fileURLToPath(new URL("kafka/log4j2.properties", import.meta.url))
  }`;
  const jvm = [
    "-Xms256m",
    tls ? "-Xmx384m" : "-Xmx512m",
    ...jvmFlags(shortLived),
    "-Djava.awt.headless=true",
    logging,
  ];
  return {
    command: ["java", ...jvm, "-cp", lib, "kafka.Kafka", file],
    mark: file,
    env: { TEST_KAFKA_BROKERS: `127.0.0.1:${tls ? secured : port}` },
    answers: () => kafkaAnswers(port),
  };
}

/**
 * @param {string} directory
 * @param {number} port
 * @param {number} controller
 */
function kafkaSettings(directory, port, controller) {
  return {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.quorum.voters": `1@127.0.0.1:${controller}`,
    "controller.listener.names": "CONTROLLER",
    "listeners": `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${port}`,
    "log.dirs": join(directory, "logs"),
    "auto.create.topics.enable": false,
    "message.max.bytes": 25_000_000,
    "replica.fetch.max.bytes": 25_000_000,
    "socket.request.max.bytes": 104_857_600,
    "offsets.topic.replication.factor": 1,
    "offsets.topic.num.partitions": 4,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "transaction.state.log.num.partitions": 4,
    "share.coordinator.state.topic.replication.factor": 1,
    "share.coordinator.state.topic.min.isr": 1,
    "share.coordinator.state.topic.num.partitions": 1,
    "group.initial.rebalance.delay.ms": 0,
    "log.cleaner.dedupe.buffer.size": 16_777_216,
    "log.index.size.max.bytes": 1_048_576,
  };
}

/**
 * With authentication; each set gets a new password, unless `tls` has one.
 * @param {string} directory
 * @param {RecipeOptions} [options]
 * @returns {Promise<Recipe>}
 */
export async function neo4j(directory, { tls, shortLived } = {}) {
  const lib = `${await jarsOf("neo4j")}/*`;
  const port = await freePort();
  const password = tls?.password ?? randomBytes(12).toString("hex");
  writeFileSync(
    join(directory, "neo4j.conf"),
    properties({
      "server.default_listen_address": "127.0.0.1",
      "server.bolt.listen_address": `127.0.0.1:${port}`,
      "server.bolt.advertised_address": `127.0.0.1:${port}`,
      "server.http.enabled": false,
      "server.https.enabled": false,
      "server.memory.pagecache.size": tls ? "64m" : "256m",
      ...(tls ? neo4jTls(directory, tls) : {}),
      "db.tx_log.preallocate": false,
      "dbms.usage_report.enabled": false,
    }),
  );
  for (const part of ["data", "logs", "run", "import", "plugins", "licenses"]) {
    mkdirSync(join(directory, part), { recursive: true });
  }
  const opens = ["java.nio", "java.io", "sun.nio.ch"].map((name) =>
    `--add-opens=java.base/${name}=ALL-UNNAMED`
  );
  await run("java", [
    ...[...toolFlags, "-Xmx256m", "-cp", lib, ...opens, "org.neo4j.cli.AdminTool"],
    ...["dbms", "set-initial-password", password],
  ], {
    timeout: 60_000,
    env: { ...process.env, NEO4J_HOME: directory, NEO4J_CONF: directory },
  });
  const entry = ["org.neo4j.server.CommunityEntryPoint", `--home-dir=${directory}`];
  return {
    command: [
      ...[
        "java",
        "-Xms256m",
        tls ? "-Xmx512m" : "-Xmx768m",
        ...jvmFlags(shortLived),
        "-Djava.awt.headless=true",
        ...opens,
      ],
      ...["-cp", lib, ...entry, `--config-dir=${directory}`],
    ],
    mark: `--home-dir=${directory}`,
    env: {
      TEST_NEO4J_URL: `bolt${tls ? "+s" : ""}://127.0.0.1:${port}`,
      TEST_NEO4J_PASSWORD: password,
    },
    answers: () => neo4jAnswers(port, password, tls?.ca),
  };
}

/**
 * Stores only what it appends to its file.
 * @param {string} directory
 * @param {RecipeOptions} [options]
 * @returns {Promise<Recipe>}
 */
export async function redis(directory, { tls } = {}) {
  await run("redis-server", ["--version"]).catch(() => {
    throw new Error("Redis is missing: apt-get install redis-server");
  });
  const port = await freePort();
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", directory];
  const ports = tls ? redisTls(directory, port, tls) : ["--port", String(port)];
  const scheme = tls ? `rediss://:${tls.password}@` : "redis://";
  return {
    command: ["redis-server", ...ports, ...settings],
    mark: `127.0.0.1:${port}`,
    env: { TEST_REDIS_URL: `${scheme}127.0.0.1:${port}` },
    answers: () => redisAnswers(port, tls),
  };
}

/** @param {Record<string, string | number | boolean>} settings */
function properties(settings) {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}\n`).join("");
}
