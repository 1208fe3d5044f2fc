import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import type { ResourceSpans } from "#services/trace-gateway/otlp/decoding.ts";
import { otlpBytes, otlpJson, type TestResource } from "./otlp.ts";
import { seeded } from "../random.ts";
import { Traffic } from "./trace-traffic.ts";

export interface LoadOptions {
  /** Base URLs of the HTTP receivers; whoever fails to reach one tries the next. */
  http: string[];
  /** `host:port` of the gRPC receivers. */
  grpc?: string[];
  seed: number;
  /** Each sends until this aborts; what is not answered by then stays unanswered. */
  until: AbortSignal;
  /** Milliseconds between two requests of one sender; 25 unless told. */
  pauseMs?: number;
}

export interface Load {
  /** Spans that were answered with success: kind, trace id and span id. */
  answered: Set<string>;
  /** Requests that were sent again, by what was answered. */
  retried: Record<string, number>;
}

/** How a request went: taken, or why it has to be sent again. */
type SendResult = "taken" | string;

/**
 * Exporters that send until they are told to end: over HTTP in protobuf and JSON, compressed and not,
 * and over gRPC. They repeat what real ones repeat, 429, 503 and failures of the connection; any other
 * refusal rejects. The spans of a trace go to several of them.
 */
export async function sendTraces(options: LoadOptions): Promise<Load> {
  const { http, grpc = [], seed, until, pauseMs = 25 } = options;
  const load: Load = { answered: new Set(), retried: {} };
  const requests = requestsOf(seed);
  const senders: Sender[] = [
    httpSender(http, until, "protobuf"),
    httpSender([...http].reverse(), until, "protobuf gzip"),
    httpSender(http, until, "json"),
    ...(grpc.length > 0 ? [grpcSender(grpc, until)] : []),
  ];
  await Promise.all(senders.map(async (send) => {
    while (!until.aborted) {
      const request = requests.next().value!;
      const retried = (why: string) => load.retried[why] = (load.retried[why] ?? 0) + 1;
      if (await send(request, retried)) {
        for (const key of keysOf(request)) load.answered.add(key);
      }
      await pause(pauseMs);
    }
    await send(null, () => {});
  }));
  return load;
}

/** Sends one request until it is taken; false when it gave up at the end. Null: that was all. */
type Sender = (request: TestResource[] | null, retried: (why: string) => void) => Promise<boolean>;

/** Requests without end: spans of a few traces at a time, by their services, in any order. */
function* requestsOf(seed: number): Generator<TestResource[], never> {
  const random = seeded(seed);
  const traffic = new Traffic(random);
  for (;;) {
    const spans = Array.from({ length: 4 }, () => traffic.trace()).flat();
    const byService = [...Map.groupBy(spans, (of) => String(of.resource["service.name"])).values()];
    const ranked = byService.map((group) => ({ group, rank: random() }));
    for (const { group } of ranked.sort((a, b) => a.rank - b.rank)) yield [resourceOf(group)];
  }
}

const kinds = { unspecified: 0, internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };

/** Spans of one service, as its exporter writes them. */
function resourceOf(spansOfService: ResourceSpans[]): TestResource {
  const spans = spansOfService.flatMap((of) => of.spans).map(({ kind, parentSpanId, ...span }) => ({
    ...span,
    kind: kinds[kind],
    parentSpanId: parentSpanId ?? "",
    startMs: Math.floor(span.startMicros / 1_000),
    endMs: Math.floor(span.endMicros / 1_000),
  }));
  return { resource: spansOfService[0]!.resource, spans };
}

const names = Object.entries(kinds);

function keysOf(request: TestResource[]): string[] {
  const nameOf = (kind?: number) => names.find(([, number]) => number === kind)![0];
  return request.flatMap(({ spans }) =>
    spans.map(({ kind, traceId, spanId }) => `${nameOf(kind)} ${traceId} ${spanId}`)
  );
}

function httpSender(urls: string[], until: AbortSignal, encoding: string): Sender {
  let turn = 0;
  return async (request, retried) => {
    if (!request) return true;
    const json = encoding === "json";
    const body = json ? new TextEncoder().encode(otlpJson(request)) : otlpBytes(request);
    const headers: Record<string, string> = {
      "content-type": json ? "application/json" : "application/x-protobuf",
    };
    const gzip = encoding.endsWith("gzip");
    if (gzip) headers["content-encoding"] = "gzip";
    const sent = gzip ? new Uint8Array(gzipSync(body)) : body;
    while (!until.aborted) {
      const outcome = await post(`${urls[turn % urls.length]}/v1/traces`, sent, headers);
      if (outcome === "taken") return true;
      retried(outcome);
      turn++;
      await pause(100);
    }
    return false;
  };
}

/** Rejects when the answer is one that no fault excuses. */
async function post(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<SendResult> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(8_000);
    response = await fetch(url, { method: "POST", body, headers, signal });
    const text = await response.text();
    if (response.ok && !text.includes("partialSuccess")) return "taken";
    if ([429, 503].includes(response.status) && response.headers.has("retry-after")) {
      return String(response.status);
    }
    throw new RejectedError(`POST ${url}: ${response.status} ${text}`);
  } catch (error) {
    if (error instanceof RejectedError) throw error;
    return (error as Error).name;
  }
}

class RejectedError extends Error {}

function grpcSender(addresses: string[], until: AbortSignal): Sender {
  const child = spawn("node", ["test/support/traces/grpc-sender.mjs", ...addresses], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const ended = new Promise<void>((end) => until.addEventListener("abort", () => end()));
  return async (request, retried) => {
    if (!request) return child.kill("SIGKILL");
    const body = btoa(String.fromCharCode(...otlpBytes(request)));
    child.stdin!.write(`${JSON.stringify(body)}\n`);
    const line = await Promise.race([lines.next(), ended]);
    if (!line) return false;
    const status = JSON.parse(line.value) as { code: number; details: string; attempt: number };
    if (status.code !== 0) throw new Error(`gRPC export: ${status.code} ${status.details}`);
    for (let n = 0; n < status.attempt; n++) retried("gRPC");
    return true;
  };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
