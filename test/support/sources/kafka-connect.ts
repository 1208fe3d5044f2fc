import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { jarsOf } from "../../../tools/engines/jars.mjs";
import { requireAnswer, type SourceServer, startSourceServer } from "./server.ts";

const pom = fileURLToPath(new URL("kafka-connect/pom.xml", import.meta.url));

/** Kafka Connect itself, with its connectors of files. */
export interface KafkaConnectServer extends SourceServer {
  /** Creates a connector. */
  create(name: string, config: Record<string, string>): Promise<void>;
}

/** Starts a worker over brokers. Call `stop` in `afterAll`. */
export async function startKafkaConnect(brokers: string[]): Promise<KafkaConnectServer> {
  const jars = await jarsOf("kafka-connect", pom);
  const server = await startSourceServer({
    name: "kafka-connect",
    command: (folder, port) => {
      const file = join(folder, "worker.properties");
      const converter = "org.apache.kafka.connect.storage.StringConverter";
      const settings = {
        "bootstrap.servers": brokers.join(","),
        "key.converter": converter,
        "value.converter": converter,
        "offset.storage.file.filename": join(folder, "offsets"),
        "offset.flush.interval.ms": "1000",
        listeners: `http://127.0.0.1:${port}`,
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(file, lines.join(""));
      return [
        ...["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
        ...["-cp", join(jars, "*"), "org.apache.kafka.connect.cli.ConnectStandalone", file],
      ];
    },
    answers: (url) => requireAnswer(`${url}/connectors`),
  });
  return {
    ...server,
    async create(name, config) {
      const answer = await fetch(`${server.url}/connectors`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name, config }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`connector ${name}: ${answer.status} ${text.slice(0, 500)}`);
    },
  };
}
