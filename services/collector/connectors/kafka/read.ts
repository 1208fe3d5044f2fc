import kafkajs, { type Admin } from "kafkajs";
import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { type Finding, isIncluded, problemFinding, type Session } from "../../connector.ts";
import { ClusterAdmin, isForbidden, isUnknownTopic } from "./connect.ts";
import { ConnectCluster } from "./connectors.ts";
import {
  groupCatrn,
  groupItem,
  isInternal,
  shownConfigs,
  topicCatrn,
  type TopicFacts,
  topicItem,
} from "./items.ts";
import { SchemaRegistry, type TopicSchema } from "./registry.ts";

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
    const schemas = registry && { registry, subjects: await registry.subjects() };
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
    yield problemFinding("Kafka Connect", error);
  } finally {
    await connect.close();
  }
}

/** A topic as the brokers list it. */
interface ListedTopic {
  name: string;
  partitions: number;
  replicas: number;
}

/** All topics of a cluster, by name. Throws a `SourceError`. */
export async function listTopics(cluster: ClusterAdmin): Promise<ListedTopic[]> {
  const { topics } = await cluster.call((admin) => admin.fetchTopicMetadata());
  return topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.length,
    replicas: partitions[0]?.replicas.length ?? 0,
  })).sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Topics whose configuration is read in one call. */
export const pageSize = 100;

/** The schemas of a registry, and the subjects that have one. */
interface KnownSchemas {
  registry: SchemaRegistry;
  subjects: ReadonlySet<string>;
}

/** The items of some topics. One whose schema cannot be read costs itself only. */
async function* topicFindings(
  { source }: Session<KafkaSettings>,
  cluster: ClusterAdmin,
  topics: ListedTopic[],
  schemas: KnownSchemas | null,
): AsyncGenerator<Finding> {
  for (let at = 0; at < topics.length; at += pageSize) {
    const page = topics.slice(at, at + pageSize);
    const configs = await configsOf(cluster, page.map(({ name }) => name));
    for (const topic of page) {
      // It was deleted meanwhile.
      const known = configs === null ? new Map<string, string>() : configs.get(topic.name);
      if (known) yield await topicFinding(source, { ...topic, configs: known }, schemas);
    }
  }
}

async function topicFinding(
  source: string,
  topic: Omit<TopicFacts, "key" | "value">,
  schemas: KnownSchemas | null,
): Promise<Finding> {
  const schemaOf = async (subject: string): Promise<TopicSchema | null> =>
    schemas?.subjects.has(subject) ? await schemas.registry.latest(subject) : null;
  try {
    const key = await schemaOf(`${topic.name}-key`);
    const value = await schemaOf(`${topic.name}-value`);
    return { kind: "item", item: topicItem(source, { ...topic, key, value }) };
  } catch (error) {
    return problemFinding(`schema of ${topic.name}`, error, topicCatrn(source, topic.name));
  }
}

type Configs = Map<string, Map<string, string>>;

/** Configuration by topic, without those that are gone; null where the user may not read it. */
async function configsOf(cluster: ClusterAdmin, topics: string[]): Promise<Configs | null> {
  try {
    const { resources } = await cluster.call((admin) => describeTopics(admin, topics));
    return new Map(resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]));
  } catch (error) {
    if (isForbidden(error)) return null;
    if (!isUnknownTopic(error)) throw error;
    if (topics.length === 1) return new Map();
    const half = Math.ceil(topics.length / 2);
    const parts = [topics.slice(0, half), topics.slice(half)];
    const found: Configs = new Map();
    for (const part of parts) {
      for (const [name, configs] of await configsOf(cluster, part) ?? []) found.set(name, configs);
    }
    return found;
  }
}

const describeTopics = (admin: Admin, topics: string[]) =>
  admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: shownConfigs,
    })),
  });

/** Names of consumer groups. Throws a `SourceError`. */
export async function listGroups(cluster: ClusterAdmin): Promise<string[]> {
  const { groups } = await cluster.call((admin) => admin.listGroups());
  const consumers = groups.filter(({ protocolType }) => ["", "consumer"].includes(protocolType));
  return [...new Set(consumers.map(({ groupId }) => groupId))].sort();
}

/** Groups that a program makes for one run of its own. */
const passingGroups = /^console-consumer-\d+$/;

/** The items of the groups that have read any of these topics. One that fails costs itself only. */
async function* groupFindings(
  { settings, source }: Session<KafkaSettings>,
  cluster: ClusterAdmin,
  topics: ReadonlySet<string>,
): AsyncGenerator<Finding> {
  let groups: string[] = [];
  try {
    groups = await listGroups(cluster);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    yield problemFinding("consumer groups", error);
  }
  const wanted = groups.filter((group) =>
    group !== "" && !passingGroups.test(group) &&
    isIncluded(group, { include: [], exclude: settings.exclude })
  );
  for (const group of wanted) {
    try {
      const read = (await topicsOfGroup(cluster, group)).filter((topic) => topics.has(topic));
      if (read.length > 0) yield { kind: "item", item: groupItem(source, group, read) };
    } catch (error) {
      if (!isForbidden(error)) throw error;
      yield problemFinding(`consumer group ${group}`, error, groupCatrn(source, group));
    }
  }
}

/** Topics of which a group has committed an offset. */
async function topicsOfGroup(cluster: ClusterAdmin, groupId: string): Promise<string[]> {
  const offsets = await cluster.call((admin) => admin.fetchOffsets({ groupId }));
  return offsets.filter(({ partitions }) => partitions.some(({ offset }) => Number(offset) >= 0))
    .map(({ topic }) => topic);
}
