import type { Operation } from "../openapi.ts";
import { faultOf, send } from "../send.ts";
import type { Input } from "./input.ts";
import { mutatedText } from "./mutate.ts";
import { rawAnswer, rawFault } from "./raw.ts";
import { type FuzzWorld, ingestionSeeds } from "./world.ts";
import { digits, pick, type Random, word } from "./words.ts";

/** A body of an ingestion route that was sound once. */
export function ingestionInput(world: FuzzWorld, random: Random): Input {
  const seeds = ingestionSeeds(world.offer);
  const id = pick(random, [...Object.keys(seeds), "postDataEntityList"]);
  const { method, path } = world.offer.operation(id);
  const body = mutatedText(pick(random, seeds[id]!), random);
  const headers = oddHeaders(random);
  return {
    entrance: `${method} ${path}`,
    shown: body,
    send: async ({ subject }) => faultOf(await send(subject.url + path, { body, headers })),
  };
}

/** Now and then what a proxy or a hurried client sends. */
function oddHeaders(random: Random): Record<string, string> {
  const roll = random();
  if (roll < 0.01) return { "content-encoding": "gzip" };
  if (roll < 0.02) return { "content-type": "text/plain" };
  if (roll < 0.03) return { traceparent: pick(random, ["00-0-0-0", "__proto__", "00"]) };
  if (roll < 0.04) return { authorization: pick(random, ["Bearer constructor", "Bearer", "x"]) };
  return {};
}

/** A call of any other operation: its path, query and body as they should be, or not. */
export function apiInput(world: FuzzWorld, random: Random): Input {
  for (;;) {
    const operation = pick(random, world.offer.operations);
    const { method } = operation;
    const target = targetOf(operation, world, random);
    const body = operation.csv
      ? csvText(random)
      : operation.body
      ? bodyOf(operation, world, random)
      : undefined;
    const type = operation.csv ? "text/csv" : undefined;
    if (method !== "GET" && touchesProtected(`${target} ${body ?? ""}`, world)) continue;
    return {
      entrance: `${method} ${operation.path}`,
      shown: `${target} ${body ?? ""}`,
      send: async ({ subject }) =>
        faultOf(await send(subject.url + target, { method, body, type })),
    };
  }
}

/** A policy is a document of its own within the body. */
const policy = {
  statements: [{
    resource: {
      type: "DATA_ENTITY",
      conditions: {
        any: [{ is: "dataEntity:owner" }, {
          all: [{ not_eq: { "dataEntity:tag:name": "pii" } }, {
            match: { "dataEntity:catrn": "//postgresql/.*/orders_[0-9]{1,9}" },
          }],
        }],
      },
    },
    permissions: ["DATA_ENTITY_TAGS_UPDATE", "ALL"],
  }],
};

/** What the chat provider tells of a thread; no schema knows it. */
const chatEvent = {
  type: "event_callback",
  event_id: "Ev1",
  event: {
    type: "message",
    subtype: "message_changed",
    channel: "C1",
    ts: "1800000001.000001",
    message: {
      user: "U1",
      text: "late",
      ts: "1800000001.000001",
      thread_ts: "1800000000.000001",
      edited: { ts: "1800000002.000001" },
    },
  },
};

function bodyOf({ id, body }: Operation, world: FuzzWorld, random: Random): string {
  if (id === "receiveChatEvent") return mutatedText(chatEvent, random);
  const example = world.offer.example(body!, true);
  if (!["createPolicy", "updatePolicy"].includes(id)) return mutatedText(example, random);
  return mutatedText({ name: word(random), policy: mutatedText(policy, random) }, random);
}

/** A file that was sound once, of the table that `prepare` makes. */
function csvText(random: Random): string {
  const cell = () => random() < 0.5 ? word(random) : pick(random, ["1", "", '"a,b"', '"', "'=1"]);
  const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, () => `${cell()},${cell()}`);
  const header = random() < 0.8 ? "word,number" : `${cell()},number`;
  return [header, ...lines].join(pick(random, ["\n", "\r\n", "\r"])).toWellFormed();
}

function touchesProtected(text: string, { protectedIds }: FuzzWorld): boolean {
  return (text.match(/\d+/g) ?? []).some((found) => protectedIds.has(found));
}

function targetOf(operation: Operation, world: FuzzWorld, random: Random): string {
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed().slice(0, 2_000));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const fitting = fittingIds(operation, name, world);
    if (fitting.length > 0 && random() < 0.7) return encoded(pick(random, fitting));
    if (random() < 0.5) return pick(random, world.ids);
    return encoded(random() < 0.7 ? digits(random) : word(random)) || "x";
  });
  const query = operation.parameters.filter((p) => p.in === "query").flatMap((parameter) => {
    // Whoever does not wait is answered with what there is.
    if (operation.events && parameter.name === "wait") return [];
    if (!parameter.required && random() < 0.6) return [];
    const { name, schema } = parameter;
    if (random() < 0.7) return [`${name}=${encoded(String(world.offer.example(schema, true)))}`];
    return [`${name}=${encoded(random() < 0.5 ? digits(random) : word(random))}`];
  });
  return query.length > 0 ? `${path}?${query.join("&")}` : path;
}

/** Ids of what the parameter names, and values of a closed set. */
function fittingIds({ path, parameters }: Operation, name: string, world: FuzzWorld): string[] {
  if (name === "search_id") {
    return [...world.searches].filter(([start]) => path.startsWith(`${start}/`)).map(([, id]) =>
      id
    );
  }
  const declared = parameters.find((one) => one.in === "path" && one.name === name);
  const values = declared && world.offer.resolved(declared.schema).enum;
  return values?.map(String) ?? world.known.get(name) ?? [];
}

const methods = ["TRACE", "OPTIONS", "HEAD", "CONNECT", "constructor", "PATCH", "M".repeat(300)];
const hosts = ["a:99999", "", "[::1", "constructor", "a b", "127.0.0.1:0", "\u00fc"];

/** A request as no library writes it. */
export function rawInput(world: FuzzWorld, random: Random): Input {
  const { path } = pick(random, world.offer.operations);
  const method = random() < 0.5 ? pick(random, methods) : "GET";
  const odd = random() < 0.5 ? path : `${path}?${word(random).slice(0, 500)}`;
  const host = random() < 0.5 ? pick(random, hosts) : "127.0.0.1";
  const header = random() < 0.3 ? `x-${word(random).slice(0, 20)}: ${word(random)}\r\n` : "";
  const text = `${method} ${odd} HTTP/1.1\r\nHost: ${host}\r\n${header}Connection: close\r\n\r\n`;
  return {
    entrance: "HTTP",
    shown: text,
    send: async ({ subject }) => rawFault(await rawAnswer(subject.url, text)),
  };
}
