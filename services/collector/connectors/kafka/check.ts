import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { isIncluded, type Session, tried } from "../../connector.ts";
import { ClusterAdmin } from "./connect.ts";
import { ConnectCluster } from "./connectors.ts";
import { listGroups, listTopics } from "./read.ts";
import { isInternal } from "./items.ts";
import { SchemaRegistry } from "./registry.ts";

/** Tries a connection: brokers, topics, groups, schema registry and Kafka Connect, each by itself. */
export async function checkCluster(session: Session<KafkaSettings>): Promise<ConnectionCheck[]> {
  const cluster = new ClusterAdmin(session);
  try {
    const connect = await tried("Connect", async () => {
      await cluster.call((admin) => admin.connect());
      const { brokers } = await cluster.call((admin) => admin.describeCluster());
      return `${session.settings.brokers[0]} answers, ${brokers.length} brokers`;
    }, "reason");
    if (connect.outcome === "FAILED") return [connect];
    const groups = async () => `${(await listGroups(cluster)).length} groups`;
    return [
      connect,
      await tried("Topics", () => topics(session, cluster), "reason"),
      asWarning(await tried("Groups", groups, "reason")),
      ...await servers(session),
    ];
  } finally {
    await cluster.close();
  }
}

async function topics({ settings }: Session<KafkaSettings>, cluster: ClusterAdmin) {
  const all = (await listTopics(cluster)).filter(({ name }) => !isInternal(name));
  const included = all.filter(({ name }) => isIncluded(name, settings));
  return `${included.length} topics of ${all.length}`;
}

async function servers(session: Session<KafkaSettings>): Promise<ConnectionCheck[]> {
  const { registry_url, connect_url } = session.settings;
  const checks: ConnectionCheck[] = [];
  if (registry_url) {
    const registry = new SchemaRegistry(session, registry_url);
    const subjects = async () => `${(await registry.subjects()).size} subjects`;
    checks.push(await tried("Schema registry", subjects, "reason"));
    await registry.close();
  }
  if (connect_url) {
    const connect = new ConnectCluster(session, connect_url);
    const connectors = async () => `${(await connect.list()).length} connectors`;
    checks.push(await tried("Kafka Connect", connectors, "reason"));
    await connect.close();
  }
  return checks;
}

/** Without its groups a cluster can still be read. */
const asWarning = (check: ConnectionCheck): ConnectionCheck =>
  check.outcome === "FAILED" ? { ...check, outcome: "WARNING" } : check;
