import { readFileSync } from "node:fs";
import { Buffer } from "node:buffer";
import { messageOf } from "#kit/errors.ts";
import type { Worker } from "#kit/worker.ts";
import { digestOf } from "#kit/secret.ts";
import { ShortCache } from "#kit/short-cache.ts";
import { tokenHolder } from "#metadata/catalogue/tokens.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { clientAddressBy } from "#platform/http/request-headers.ts";
import { gate } from "#platform/http/origins.ts";
import { RefusalDelay } from "#platform/http/refusals.ts";
import { GrpcReceiver } from "../grpc/receiver.ts";
import { SpanIntake } from "../intake/intake.ts";
import { httpReceiver } from "./http.ts";
import { Listener } from "./listener.ts";
import { type AcceptedTokens, tokenCheck } from "./token.ts";
import { topicReceivers } from "./topic.ts";

export interface Receivers {
  workers: Worker[];
  /** Whether a request is at work. */
  busy(): boolean;
  /** Refuses everything new from now on. */
  close(): void;
}

/** Milliseconds that reading and decoding may take, in addition to the wait for the event log. */
const answerGraceMs = 10_000;

/** Every receiver of spans; all of them share one intake. */
export function createReceivers(context: Context): Receivers {
  const { server, traces } = context.config;
  const maxRefusedBytes = server["max-refused-bytes-per-address"];
  const { events, clock, log, metrics } = context;
  const intake = new SpanIntake({
    events,
    clock,
    metrics,
    maxInFlight: traces["max-in-flight"],
    maxRefusedBytes,
    publishTimeoutMs: traces["publish-timeout"],
  });
  const tokens = acceptedTokens(context);
  const checkToken = tokenCheck(tokens);
  const handle = httpReceiver({
    intake,
    log,
    gate: gate(context.config),
    checkToken,
    maxBytes: traces["max-request-size"],
  });
  const clientOf = clientAddressBy(context.config.server["trusted-proxies"]);
  const refusals = new RefusalDelay(clock, metrics);
  const http = new Listener({
    name: "OTLP/HTTP receiver",
    log,
    metrics,
    async handle(request, peer) {
      const client = clientOf(request.headers, peer);
      const answer = await handle(request, client);
      const signal = () => request.signal;
      await refusals.answered(client, answer.status, { path: "/v1/traces", signal });
      return answer;
    },
    address: () => ({ ...traces.http, tls: certificate(traces.tls) }),
    portKey: "traces.http.port",
  });
  const grpc = new GrpcReceiver({
    intake,
    log,
    metrics,
    checkToken,
    orders: () => ({
      ...traces.grpc,
      tls: certificate(traces.tls),
      // The gRPC process has no database: what it cannot compare by itself is checked here.
      token: tokens.isCollectors ? undefined : tokens.own,
      maxBytes: traces["max-request-size"],
      maxInFlight: traces["max-in-flight"],
      maxRefusedBytes,
      trustedProxies: [...context.config.server["trusted-proxies"]],
      answerWithinMs: traces["publish-timeout"] + answerGraceMs,
    }),
  });
  return {
    workers: [http, grpc, ...topicReceivers(context, intake)],
    busy: () => intake.budget.used > 0,
    close: () => intake.close(),
  };
}

/** Certificate and key in PEM; undefined when none is configured. Throws naming the key. */
export function certificate(tls: Config["traces"]["tls"]) {
  const { "cert-file": certFile, "key-file": keyFile } = tls;
  if (certFile === undefined || keyFile === undefined) return undefined;
  return { cert: read("cert-file", certFile), key: read("key-file", keyFile) };
}

function read(key: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`traces.tls.${key} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Milliseconds that an answer is used: a token that is withdrawn works no longer than that. */
const freshMs = 1_000;
const maxKnownTokens = 10_000;

/** The tokens that exporters may send: `traces.token`, and where ingestion requires tokens, those of collectors. */
function acceptedTokens(
  context: Pick<Context, "config" | "db" | "clock" | "metrics">,
): AcceptedTokens {
  const { config, db, clock, metrics } = context;
  const own = config.traces.token;
  if (!config.auth.ingestion.filter.enabled) return { own };
  const known = new ShortCache<boolean>({
    ttlMs: freshMs,
    maxEntries: maxKnownTokens,
    name: "exporter_tokens",
    clock,
    metrics,
  });
  const isCollectors = (token: string) => {
    const key = Buffer.from(digestOf(token)).toString("base64");
    return known.get(key, async () => await tokenHolder(db, token) !== undefined);
  };
  return { own, isCollectors };
}
