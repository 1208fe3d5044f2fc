import kafkajs, { type Admin } from "kafkajs";
import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { type Finding, type Session, SourceError } from "../../connector.ts";
import { type ClusterAdmin, isForbidden, isUnknownTopic } from "./connect.ts";
import { shownConfigs, topicCatrn, type TopicFacts, topicItem } from "./items.ts";
import type { SchemaRegistry, TopicSchema } from "./registry.ts";

/** Topics whose configuration is read in one call. */
export const pageSize = 100;

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

/** The items of some topics. One whose schema cannot be read costs itself only. */
export async function* topicFindings(
  { source }: Session<KafkaSettings>,
  cluster: ClusterAdmin,
  topics: ListedTopic[],
  registry: { of: SchemaRegistry; subjects: ReadonlySet<string> } | null,
): AsyncGenerator<Finding> {
  for (let at = 0; at < topics.length; at += pageSize) {
    const page = topics.slice(at, at + pageSize);
    const configs = await configsOf(cluster, page.map(({ name }) => name));
    for (const topic of page) {
      // It was deleted meanwhile.
      const known = configs === null ? new Map<string, string>() : configs.get(topic.name);
      if (known) yield await findingOf(source, { ...topic, configs: known }, registry);
    }
  }
}

async function findingOf(
  source: string,
  topic: Omit<TopicFacts, "key" | "value">,
  registry: { of: SchemaRegistry; subjects: ReadonlySet<string> } | null,
): Promise<Finding> {
  const schemaOf = async (subject: string): Promise<TopicSchema | null> =>
    registry?.subjects.has(subject) ? await registry.of.latest(subject) : null;
  try {
    const key = await schemaOf(`${topic.name}-key`);
    const value = await schemaOf(`${topic.name}-value`);
    return { kind: "item", item: topicItem(source, { ...topic, key, value }) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { reason, remedy } = error;
    const problem = { object: `schema of ${topic.name}`, reason, remedy };
    return { kind: "problem", problem, catrn: topicCatrn(source, topic.name) };
  }
}

type Configs = Map<string, Map<string, string>>;

/** Configuration by topic, without those that are gone; null where the user may not read it. */
async function configsOf(cluster: ClusterAdmin, topics: string[]): Promise<Configs | null> {
  try {
    const { resources } = await cluster.call((admin) => describe(admin, topics));
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

const describe = (admin: Admin, topics: string[]) =>
  admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: shownConfigs,
    })),
  });
