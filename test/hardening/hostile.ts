import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { ask, lineageOf, Shop } from "#test/faults/client.ts";
import { otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";
import { worstOf } from "./cost/worst.ts";
import { send } from "./send.ts";

/** Where a Tributary listens. */
export interface Addresses {
  url: string;
  otlp: string;
  grpc: string;
}

/** What the hostile client did: answers by status, connections that it kept idle, streams reset. */
export interface Harm {
  bodies: Record<string, number>;
  idle: number;
  resets: number;
}

/** Idle connections at each entrance. */
const idleEach = 8;

/** Starts the hostile client, in a process of its own. `stop` tells what it did. */
export function startHostile({ url, otlp, grpc }: Addresses): { stop(): Promise<Harm> } {
  const file = fileURLToPath(new URL("../support/http/hostile-client.mjs", import.meta.url));
  const child = spawn("node", [file], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => said += text);
  const ended = new Promise<void>((gone) => child.once("close", () => gone()));
  const bodies = worstOf({ url, otlp }).map(({ url, body, gzip, type }) => ({
    url,
    headers: { "content-type": type, ...(gzip && { "content-encoding": "gzip" }) },
    body: Buffer.from(gzip ? gzipSync(body) : body).toString("base64"),
  }));
  const targets = [[url, "/ingestion/entities"], [url, "/api/search"], [otlp, "/v1/traces"]];
  const idle = targets.flatMap(([base, path]) => {
    const { hostname: host, port } = new URL(base!);
    return Array.from({ length: idleEach }, () => ({ host, port: Number(port), path }));
  });
  child.stdin!.write(`${JSON.stringify({ bodies, idle, grpc })}\n`);
  return {
    async stop() {
      child.stdin!.end();
      await ended;
      return JSON.parse(said) as Harm;
    },
  };
}

export const honestKinds = ["lineage", "search", "ingestion", "traces"] as const;
export type Honest = (typeof honestKinds)[number];

/** What the honest clients saw: milliseconds of each answer in order of size, and what went wrong. */
export interface ClientObservations {
  times: Record<Honest, number[]>;
  failures: string[];
}

/** Four clients that ask, search, post and trace for so many milliseconds, each a few times a second. */
export async function honestUse(
  { url, otlp }: Addresses,
  forMs: number,
): Promise<ClientObservations> {
  const shop = new Shop(url, "//honest/shop");
  await shop.open();
  const lineage = lineageOf(await shop.id("a"));
  const work: Record<Honest, () => Promise<void>> = {
    lineage: () => expectOk(url, "GET", lineage),
    search: () => expectOk(url, "POST", "/api/search", { query: "job", filters: {} }),
    async ingestion() {
      const posted = await shop.post("job", "a", "b");
      if (posted.status !== 200) throw new Error(`ingestion: ${JSON.stringify(posted.json)}`);
    },
    traces: () => exported(otlp),
  };
  const seen: ClientObservations = {
    times: { lineage: [], search: [], ingestion: [], traces: [] },
    failures: [],
  };
  const end = performance.now() + forMs;
  await Promise.all(honestKinds.map(async (kind) => {
    while (performance.now() < end) {
      const begun = performance.now();
      await work[kind]().catch((error) => seen.failures.push(`${kind}: ${error}`));
      seen.times[kind].push(performance.now() - begun);
      await pause(everyMs);
    }
  }));
  for (const times of Object.values(seen.times)) times.sort((a, b) => a - b);
  return seen;
}

const everyMs = 50;
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function expectOk(url: string, method: string, path: string, body?: unknown) {
  const { status, json } = await ask(url, method, path, body);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
}

/** As SDKs do: what is refused for the moment is sent again. */
async function exported(otlp: string): Promise<void> {
  const body = otlpBytes([serverSpans(10, "honest")]);
  for (let attempt = 0; attempt < 20; attempt++) {
    const response = await send(`${otlp}/v1/traces`, { body, type: "application/x-protobuf" });
    if (response.status === 200) return;
    if (response.status !== 429 && response.status !== 503) {
      throw new Error(`${response.status} ${response.text}`);
    }
    await pause(200);
  }
  throw new Error("no trace was taken in 20 attempts");
}
