import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { type Finding, type Session, SourceError } from "../../connector.ts";
import { isIncluded } from "../../patterns.ts";
import { ClusterAdmin } from "./connect.ts";
import { ConnectCluster } from "./connectors.ts";
import { groupFindings } from "./groups.ts";
import { isInternal } from "./items.ts";
import { SchemaRegistry } from "./registry.ts";
import { listTopics, topicFindings } from "./topics.ts";

/** Reads topics with their schemas, then the groups and the connectors that use them. */
export async function* readCluster(session: Session<KafkaSettings>): AsyncGenerator<Finding> {
  const { settings } = session;
  const cluster = new ClusterAdmin(session);
  const registry = settings.registry_url
    ? new SchemaRegistry(session, settings.registry_url)
    : null;
  try {
    await cluster.call((admin) => admin.connect());
    const topics = (await listTopics(cluster))
      .filter(({ name }) => !isInternal(name) && isIncluded(name, settings));
    // Without its registry every topic would lose its fields: then the run fails.
    const schemas = registry && { of: registry, subjects: await registry.subjects() };
    yield* topicFindings(session, cluster, topics, schemas);
    const names = new Set(topics.map(({ name }) => name));
    yield* groupFindings(session, cluster, names);
    if (settings.connect_url) yield* connectorFindings(session, settings.connect_url, names);
  } finally {
    await Promise.all([cluster.close(), registry?.close()]);
  }
}

/** What is wrong with Kafka Connect as a whole leaves its connectors as they were. */
async function* connectorFindings(
  session: Session<KafkaSettings>,
  url: string,
  topics: ReadonlySet<string>,
): AsyncGenerator<Finding> {
  const connect = new ConnectCluster(session, url);
  try {
    yield* connect.findings(topics);
  } catch (error) {
    session.signal.throwIfAborted();
    if (!(error instanceof SourceError)) throw error;
    yield { kind: "problem", problem: { ...error.problem, object: "Kafka Connect" } };
  } finally {
    await connect.close();
  }
}
