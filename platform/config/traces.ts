import { z } from "zod";
import { duration, hostname, port, someBytes, someTime } from "#platform/config/kinds.ts";

/** What may stand in the template of a dataset. */
export const placeholders = [
  "system",
  "address",
  "bootstrap",
  "host",
  "port",
  "database",
  "schema",
  "target",
] as const;

const isTemplate = (text: string) =>
  text.startsWith("//") &&
  [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name]) =>
    (placeholders as readonly string[]).includes(name!)
  );

const form = `must start with // and use no placeholders but ${
  placeholders.map((name) => `{${name}}`).join(", ")
}`;

/** A pattern such as `//kafka/host/{host}/topics/{target}`. */
const template = (standard: string, what: string) =>
  z.string().refine(isTemplate, { error: form }).default(standard).describe(
    `CATRN of ${what} seen in traces, as its collector writes it, with ${
      placeholders.map((name) => `{${name}}`).join(", ")
    }`,
  );

/** `cassandra=//cassandra/host/{host}/keyspaces/{database}/tables/{target}, …` */
const templatesBySystem = z.string().default("").transform((text, context) => {
  const entries = text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
  return Object.fromEntries(entries.map((entry) => {
    const at = entry.indexOf("=");
    const [system, pattern] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    if (at < 1 || !isTemplate(pattern)) {
      context.addIssue({ code: "custom", message: `system=template, …; each template ${form}` });
    }
    return [system.toLowerCase(), pattern];
  }));
});

const datasets = z.strictObject({
  postgresql: template(
    "//postgresql/host/{host}/databases/{database}/schemas/{schema}/tables/{target}",
    "a PostgreSQL table",
  ),
  mysql: template("//mysql/host/{host}/databases/{database}/tables/{target}", "a MySQL table"),
  mongodb: template(
    "//mongo/host/{host}/databases/{database}/collections/{target}",
    "a MongoDB collection",
  ),
  redis: template("//redis/host/{host}/databases/{database}", "a Redis database"),
  kafka: template(
    "//kafka/host/{bootstrap}/clusters/{bootstrap}/topics/{target}",
    "a Kafka topic",
  ),
  mssql: template(
    "//mssql/host/{host}/databases/{database}/schemas/{schema}/tables/{target}",
    "a SQL Server table",
  ),
  oracle: template(
    "//oracle/host/{host}/schemas/{schema}/databases/{database}/tables/{target}",
    "an Oracle table",
  ),
  s3: template("//s3/cloud/aws/buckets/{target}", "an S3 bucket"),
  databases: template(
    "//{system}/host/{host}/databases/{database}/tables/{target}",
    "a table of any other database",
  ),
  queues: template(
    "//{system}/host/{host}/topics/{target}",
    "a topic or queue of any other broker",
  ),
  others: templatesBySystem.describe(
    "Templates of further systems by the name that spans give them: system=template, …",
  ),
});

/** Limits and rules of the trace gateway: accepting spans, pairing them, and naming what they describe. */
export const traces = z.strictObject({
  http: z.strictObject({
    host: hostname.default("127.0.0.1").describe("Address that the OTLP/HTTP receiver listens on"),
    port: port.default(4318).describe("Port of the OTLP/HTTP receiver"),
  }).prefault({}),
  grpc: z.strictObject({
    host: hostname.default("127.0.0.1").describe("Address that the OTLP/gRPC receiver listens on"),
    port: port.default(4317).describe("Port of the OTLP/gRPC receiver"),
  }).prefault({}),
  tls: z.strictObject({
    "cert-file": z.string().optional().describe(
      "PEM file of the receivers' certificate; unset: no TLS",
    ),
    "key-file": z.string().optional().describe("PEM file of its key"),
  }).refine((tls) => (tls["cert-file"] === undefined) === (tls["key-file"] === undefined), {
    error: "cert-file and key-file go together",
  }).prefault({}),
  token: z.string().min(8).optional().describe(
    "Bearer token that exporters must send, of at least 32 characters; unset: not required",
  ),
  "self-url": z.url({ protocol: /^https?$/ }).optional().describe(
    "Address to which `npm run demo -- --self-trace` sends this process's own traces, such as " +
      "`http://trace-gateway:4318`; unset: the OTLP/HTTP receiver configured here",
  ),
  "max-request-size": someBytes("16 MB").describe("Largest request, after decompression"),
  "max-in-flight": someBytes("128 MB").describe(
    "Maximum number of bytes of concurrent requests; beyond it, exporters are asked to retry",
  ),
  "publish-timeout": someTime("5 s").describe(
    "Maximum time to wait for the event log; then exporters are asked to retry",
  ),
  "otlp-topic": z.string().min(1).optional().describe(
    "Full name of a Kafka topic to which exporters write OTLP requests, one per record " +
      "(protobuf or JSON, uncompressed or gzip); unset: none",
  ),
  window: someTime("30 s").describe(
    "How long, in log time, one half of a call waits for the other, and how long repeated " +
      "spans are recognized",
  ),
  "max-waiting": z.int().min(1_000).max(10_000_000).default(200_000).describe(
    "Maximum number of spans per partition that wait for their other half; beyond it, the oldest expire",
  ),
  "edge-ttl": duration("7 d").refine((ms) => ms >= 60_000, "must be at least 1 min").describe(
    "How long an edge without new spans is retained",
  ),
  "publish-interval": someTime("5 s").describe(
    "How often changed services are published to the catalogue",
  ),
  "data-source": z.string().startsWith("//").default("//tributary/traces").describe(
    "CATRN of the data source to which services belong",
  ),
  datasets: datasets.prefault({}),
});
