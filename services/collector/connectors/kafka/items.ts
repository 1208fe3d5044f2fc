import { type Item, metadataOf } from "../../connector.ts";
import type { TopicSchema } from "./registry.ts";
import { datasetFields } from "#platform/items.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";

/** Configuration of topics that is shown; other values are of interest to operators of the brokers only. */
export const shownConfigs = [
  "cleanup.policy",
  "compression.type",
  "max.message.bytes",
  "min.insync.replicas",
  "retention.bytes",
  "retention.ms",
];

/** What is known of a topic. */
export interface TopicFacts {
  name: string;
  partitions: number;
  replicas: number;
  /** By name; empty where the user may not read it. */
  configs: ReadonlyMap<string, string>;
  key: TopicSchema | null;
  value: TopicSchema | null;
}

/** The item of a topic. */
export function topicItem(source: string, topic: TopicFacts): Item {
  const catrn = topicCatrn(source, topic.name);
  const { key, value } = topic;
  return {
    catrn,
    name: topic.name,
    type: "KAFKA_TOPIC",
    metadata: metadataOf("kafka", topicMetadata(topic)),
    dataset: {
      field_list: [
        ...datasetFields(`${catrn}/keys`, key?.fields ?? [], { isKey: true }),
        ...datasetFields(`${catrn}/columns`, value?.fields ?? []),
      ],
    },
  };
}

function topicMetadata({ partitions, replicas, configs, key, value }: TopicFacts) {
  const schemas = [["key", key], ["value", value]] as const;
  return {
    partitions,
    replication_factor: replicas,
    ...Object.fromEntries([...configs].sort(([a], [b]) => a < b ? -1 : 1)),
    ...Object.fromEntries(schemas.flatMap(([name, schema]) => {
      if (!schema) return [];
      const words = `${schema.subject}, ${schema.type}, version ${schema.version}`;
      const text = schema.text === null ? [] : [[`${name}_schema_text`, schema.text]];
      return [[`${name}_schema`, words], ...text];
    })),
  };
}

/** The item of a consumer group: the program that reads these topics. */
export function groupItem(source: string, group: string, topics: string[]): Item {
  return {
    catrn: groupCatrn(source, group),
    name: group,
    type: "MICROSERVICE",
    metadata: metadataOf("kafka", { kind: "consumer group" }),
    data_transformer: {
      inputs: topics.toSorted().map((topic) => topicCatrn(source, topic)),
      outputs: [],
    },
  };
}

/** The item of a connector of Kafka Connect. */
export function connectorItem(
  catrn: string,
  { name, metadata, inputs, outputs }: {
    name: string;
    metadata: Record<string, unknown>;
    inputs: string[];
    outputs: string[];
  },
): Item {
  const unique = (catrns: string[]) => [...new Set(catrns)].sort();
  return {
    catrn,
    name,
    type: "JOB",
    metadata: metadataOf("kafka", { kind: "connector", ...metadata }),
    data_transformer: { inputs: unique(inputs), outputs: unique(outputs) },
  };
}

/** CATRN of the cluster below its data source, as the rules of `platform/naming` write it: its first broker stands for it. */
function clusterCatrn(source: string): string {
  return `${source}/clusters/${source.slice("//kafka/host/".length)}`;
}

export const topicCatrn = (source: string, topic: string) =>
  `${clusterCatrn(source)}/topics/${escaped(topic)}`;

export const groupCatrn = (source: string, group: string) =>
  cutTo(`${clusterCatrn(source)}/consumer_groups/${escaped(group)}`);

export const connectorCatrn = (source: string, connector: string) =>
  cutTo(`${clusterCatrn(source)}/connectors/${escaped(connector)}`);

/** Topics of Kafka itself, of schema registries and of Kafka Streams' state. */
export const isInternal = (topic: string) =>
  topic.startsWith("__") || topic === "_schemas" ||
  /-(?:changelog|repartition)$/.test(topic) && topic.includes("KSTREAM");
