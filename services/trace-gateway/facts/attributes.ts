import type { Attributes } from "../otlp/decoding.ts";

/** Longest text that is stored of an attribute, characters. */
export const maxText = 256;
/** Characters of a URL or statement that are looked at and not kept; tables stand near the beginning. */
export const maxRaw = 8_192;

// deno-lint-ignore no-control-regex -- exactly these are not to be stored
const controls = /[\u0000-\u001f\u007f]/g;
const odd = /[^\u0020-\u007e]/;

/** A text as the store and the log can hold it: cut, well-formed, without control characters. */
export function clean(text: string, max = maxText): string {
  const cut = text.length > max ? text.slice(0, max) : text;
  return odd.test(cut) ? cut.toWellFormed().replace(controls, "").trim() : cut.trim();
}

/** The first of the attributes that holds a text that is not empty; numbers count as text. */
export function text(attributes: Attributes, ...names: FactAttribute[]): string | null {
  for (const name of names) {
    const found = attributes[name];
    if (found === undefined || typeof found === "boolean") continue;
    const value = clean(typeof found === "object" ? found[0] ?? "" : String(found));
    if (value !== "") return value;
  }
  return null;
}

/** The first of the attributes that holds a text: its first `maxRaw` characters as they came. */
export function raw(attributes: Attributes, ...names: FactAttribute[]): string | null {
  for (const name of names) {
    const found = attributes[name];
    if (typeof found === "string" && found !== "") return found.slice(0, maxRaw);
  }
  return null;
}

/** Maximum number of entries of a list that are looked at. */
export const maxList = 100;

/** A list of texts, or the one text, of an attribute. */
export function list(attributes: Attributes, name: FactAttribute): string[] {
  const found = attributes[name];
  if (found === undefined || typeof found === "boolean") return [];
  const values = typeof found === "object" ? found : [String(found)];
  return values.slice(0, maxList).map((value) => clean(value)).filter((value) => value !== "");
}

/** `host`, or `host:port` when a port is given; an IPv6 host is then in brackets. */
export function hostAndPort(host: string | null, port: string | null): string | null {
  if (host === null) return null;
  const name = host.toLowerCase();
  if (port === null || !/^[1-9]\d{0,4}$/.test(port)) return name;
  return name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`;
}

const resource = [
  "service.name",
  "service.namespace",
  "service.version",
  "service.instance.id",
  "k8s.namespace.name",
  "k8s.deployment.name",
  "k8s.statefulset.name",
  "k8s.daemonset.name",
  "k8s.cronjob.name",
  "k8s.job.name",
  "k8s.replicaset.name",
  "k8s.pod.name",
  "k8s.container.name",
  "faas.name",
  "gcp.cloud_run.job.execution",
  "aws.ecs.task.family",
  "container.name",
  "container.id",
  "process.executable.name",
  "process.pid",
  "host.name",
  "host.id",
] as const;

const call = [
  "http.method",
  "http.request.method",
  "http.route",
  "http.target",
  "http.url",
  "http.host",
  "url.template",
  "url.path",
  "url.full",
  "rpc.system",
  "rpc.system.name",
  "rpc.service",
  "rpc.method",
  "server.address",
  "server.port",
  "net.peer.name",
  "net.peer.port",
  "net.peer.ip",
  "net.sock.peer.name",
  "net.sock.peer.addr",
  "net.sock.peer.port",
  "network.peer.address",
  "network.peer.port",
  "peer.service",
  "service.peer.name",
] as const;

const database = [
  "db.system",
  "db.system.name",
  "db.name",
  "db.namespace",
  "db.redis.database_index",
  "db.sql.table",
  "db.collection.name",
  "db.mongodb.collection",
  "db.cassandra.keyspace",
  "db.cassandra.table",
  "db.cosmosdb.container",
  "db.operation",
  "db.operation.name",
  "db.statement",
  "db.query.text",
  "db.query.summary",
  "db.connection_string",
  "aws.dynamodb.table_names",
  "aws.s3.bucket",
  "elasticsearch.request.index",
] as const;

const messaging = [
  "messaging.system",
  "messaging.destination",
  "messaging.destination.name",
  "messaging.destination.template",
  "messaging.destination.temporary",
  "messaging.destination.anonymous",
  "messaging.temp_destination",
  "messaging.destination_publish.name",
  "messaging.source.name",
  "messaging.kafka.topic",
  "messaging.rabbitmq.destination.routing_key",
  "messaging.operation",
  "messaging.operation.type",
  "messaging.operation.name",
  "aws.sqs.queue.url",
  "aws.sns.topic.arn",
] as const;

/** An attribute that facts are made of. */
type FactAttribute = (typeof resource | typeof call | typeof database | typeof messaging)[number];

/** Names of the attributes that facts are made of; no other needs to be decoded. */
export const factAttributes: ReadonlySet<string> = new Set<FactAttribute>([
  ...resource,
  ...call,
  ...database,
  ...messaging,
]);
