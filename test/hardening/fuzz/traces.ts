import { Buffer } from "node:buffer";
import { factAttributes } from "#services/trace-gateway/facts/attributes.ts";
import { grpcCalls } from "#test/support/traces/otlp-clients.ts";
import {
  otlpBytes,
  otlpJson,
  type TestResource,
  type TestSpan,
} from "#test/support/traces/otlp.ts";
import { faultOf, send } from "../send.ts";
import type { Input } from "./input.ts";
import { damagedBytes, mutatedText } from "./mutate.ts";
import { pick, type Random, word } from "./words.ts";

/** What spans tell, by what they are. */
const conventions: Record<string, string | number>[] = [
  { "http.request.method": "GET", "url.full": "http://callee.example/a/1", "server.port": 80 },
  { "http.request.method": "POST", "http.route": "/a/{id}" },
  { "http.method": "GET", "http.target": "/v1/a?b", "net.peer.name": "callee" },
  { "rpc.system": "grpc", "rpc.service": "shop.Orders", "rpc.method": "Get" },
  {
    "db.system.name": "postgresql",
    "db.namespace": "shop|public",
    "db.query.text": "SELECT a.* FROM a JOIN b ON a.id = b.id WHERE x = 'y'",
    "server.address": "db.example",
  },
  { "db.system": "mongodb", "db.mongodb.collection": "c", "db.operation": "find" },
  { "db.system": "redis", "db.statement": "GET a", "db.redis.database_index": 1 },
  { "db.system.name": "mysql", "db.query.summary": "INSERT a SELECT b" },
  { "db.connection_string": "jdbc:mysql://u:p@h:1/d", "db.system": "mysql" },
  { "aws.dynamodb.table_names": "t", "rpc.method": "Query" },
  { "aws.s3.bucket": "b", "rpc.method": "PutObject" },
  { "messaging.system": "kafka", "messaging.destination.name": "t", "server.address": "k:9092" },
  { "messaging.system": "aws_sqs", "aws.sqs.queue.url": "https://sqs.example/1/q" },
];
const wanted = [...factAttributes];

function resources(random: Random): TestResource[] {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  const traceId = hex(32);
  let parent = "";
  return Array.from({ length: 1 + Math.floor(random() * 3) }, (_, n) => ({
    resource: { "service.name": oddly(`fuzz${n}`, random), "service.namespace": "fuzz" },
    spans: Array.from({ length: 1 + Math.floor(random() * 3) }, (): TestSpan => {
      const span = {
        traceId,
        spanId: hex(16),
        parentSpanId: parent,
        kind: 1 + Math.floor(random() * 5),
        name: oddly("GET", random),
        attributes: attributes(random),
        error: random() < 0.2,
        links: random() < 0.1 ? [{ traceId, spanId: hex(16) }] : [],
      };
      parent = span.spanId;
      return span;
    }),
  }));
}

const oddly = (sound: string, random: Random) => random() < 0.2 ? word(random) : sound;

function attributes(random: Random): NonNullable<TestSpan["attributes"]> {
  const found: NonNullable<TestSpan["attributes"]> = { ...pick(random, conventions) };
  for (const key of Object.keys(found)) if (random() < 0.4) found[key] = word(random);
  if (random() < 0.3) found[pick(random, wanted)] = word(random);
  if (random() < 0.1) found[pick(random, wanted)] = [word(random), word(random)];
  return found;
}

function protobuf(random: Random): Uint8Array {
  const bytes = otlpBytes(resources(random));
  return random() < 0.3 ? damagedBytes(bytes, random) : bytes;
}

const json = (random: Random) =>
  random() < 0.5
    ? otlpJson(resources(random))
    : mutatedText(JSON.parse(otlpJson(resources(random))), random);

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** An export over HTTP, in JSON or protobuf. */
export function otlpInput(random: Random): Input {
  const asJson = random() < 0.5;
  const body = asJson ? json(random) : protobuf(random);
  const type = asJson ? "application/json" : "application/x-protobuf";
  return {
    entrance: `OTLP/HTTP, ${asJson ? "JSON" : "protobuf"}`,
    shown: typeof body === "string" ? body : base64(body),
    send: async ({ subject }) => faultOf(await send(`${subject.otlp}/v1/traces`, { body, type })),
  };
}

/** Exports of one client over gRPC. */
export function grpcInput(random: Random, count: number): Input {
  const calls = Array.from({ length: count }, () => ({ body: base64(protobuf(random)) }));
  return {
    entrance: "OTLP/gRPC",
    shown: JSON.stringify(calls),
    count,
    async send({ subject }) {
      const answers = await grpcCalls(subject.grpc, calls);
      // Unknown, internal and data loss are what an exporter cannot make anything of.
      const wrong = answers.find(({ code }) => [2, 13, 15].includes(code));
      return wrong ? `${wrong.code}: ${wrong.details}` : null;
    },
  };
}

/** A request as a record of the topic that exporters write into. */
export function otlpRecord(random: Random): Uint8Array {
  return random() < 0.5 ? new TextEncoder().encode(json(random)) : protobuf(random);
}
