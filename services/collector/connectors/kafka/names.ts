import { cutTo, escaped } from "#platform/naming/text.ts";

/** CATRN of the cluster below its data source, as the rules of `platform/naming` write it: its first broker stands for it. */
export function clusterCatrn(source: string): string {
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
