import { createHmac } from "node:crypto";
import type { Database } from "#metadata/postgres/database.ts";
import { insertEdges, insertEntities } from "#test/support/seed/catalogue.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { type Browser, browserAt } from "#test/support/sign-in/browser.ts";
import { bearer, done, sameBrowserAt, signedIn } from "#test/support/sign-in/entering.ts";

export const honestUsers = ["ada", "bob", "cyd", "dan"];
const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
const passwordOf = (user: string) => `the word of ${user}`;

/** Environment of an `api` whose clients come through a proxy on this machine. */
export const callersEnv = {
  AUTH_TYPE: "LOGIN_FORM",
  AUTH_LOGIN_FORM_CREDENTIALS: [...honestUsers, "mallory"]
    .map((user) => `${user}:${passwordOf(user)}`).join(","),
  SESSION_PROVIDER: "INTERNAL_POSTGRESQL",
  SERVER_TRUSTED_PROXIES: "127.0.0.1",
  DATACOLLABORATION_ENABLED: "true",
  DATACOLLABORATION_CHAT_OAUTH_TOKEN: "xoxb-of-a-test",
  DATACOLLABORATION_SIGNING_SECRET: signingSecret,
};

/** What callers are let loose on. */
export interface Ground {
  /** Addresses of the replicas. */
  urls: string[];
  /** Roots of lineage: of one step, and of very much. */
  small: number;
  deep: number;
  /** Each honest caller's own entity, with the id of a file. */
  entities: number[];
  file: number;
  large: number;
  people: Browser[];
  mallory: Browser;
}

/** Fills the catalogue and signs everybody in. */
export async function prepared(db: Database, urls: string[]): Promise<Ground> {
  const at = { url: urls[0]! };
  const people = await Promise.all(honestUsers.map((user) => signedIn(at, user, passwordOf(user))));
  const mallory = await signedIn(at, "mallory", passwordOf("mallory"));
  const entities = await Promise.all(honestUsers.map(() => seedEntity(db)));
  const file = await attach(people[0]!, entities[0]!, "x".repeat(1_000));
  const large = await attach(people[0]!, entities[0]!, "x".repeat(15_000_000));
  return { urls, ...await graphs(db), entities, file, large, people, mallory };
}

/** A chain of one step, and layers in which each node feeds all of the next. */
async function graphs(db: Database): Promise<{ small: number; deep: number }> {
  const { a, b } = await insertEntities(db, ["a", "b"]) as { a: number; b: number };
  await insertEdges(db, [[a, a, b]]);
  const [layers, width] = [20, 25];
  const names = Array.from({ length: layers * width }, (_, n) => `n${n}`);
  const ids = await insertEntities(db, names);
  const at = (layer: number, n: number) => ids[`n${layer * width + n}`]!;
  const edges: [number, number, number][] = [];
  for (let layer = 1; layer < layers; layer++) {
    for (let from = 0; from < width; from++) {
      for (let to = 0; to < width; to++) {
        edges.push([at(layer - 1, from), at(layer - 1, from), at(layer, to)]);
      }
    }
  }
  await insertEdges(db, edges);
  return { small: a, deep: at(0, 0) };
}

const uploadsOf = (entity: number) => `/api/dataentities/${entity}/files/uploads`;

/** Uploads a file in one chunk; its id. */
async function attach(
  who: Browser,
  entity: number,
  content: string,
  headers = {},
): Promise<number> {
  const path = uploadsOf(entity);
  const { id } = await done(who.call("POST", path, { fileName: "a.txt" }, headers));
  const form = new FormData();
  form.append("file", new Blob([content]), "chunk");
  form.append("index", "0");
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type")!;
  const sent = await who.send("POST", `${path}/${id}/chunks`, await encoded.text(), {
    "content-type": type,
    ...headers,
  });
  if (sent.status !== 200) throw new Error(`chunk: ${sent.status} ${await sent.text()}`);
  await sent.text();
  return (await done(who.call("PUT", `${path}/${id}`, undefined, headers))).id;
}

/** Milliseconds of each answer to honest callers, in order of size, and what they were refused. */
export interface Honest {
  times: number[];
  failures: string[];
}

/** Four people who ask, search, download and upload, each a few times a second, at all replicas in turn. */
export async function honestCallers(ground: Ground, forMs: number): Promise<Honest> {
  const seen: Honest = { times: [], failures: [] };
  const end = performance.now() + forMs;
  await Promise.all(honestUsers.map(async (user, n) => {
    for (let round = 0; performance.now() < end; round++) {
      const url = ground.urls[(n + round) % ground.urls.length]!;
      const who = sameBrowserAt({ url }, ground.people[n]!);
      for (const [name, work] of Object.entries(workOf(ground, { who, user, url, n, round }))) {
        const begun = performance.now();
        await work().catch((error) => seen.failures.push(`${name}: ${error}`));
        seen.times.push(performance.now() - begun);
      }
      await pause(50);
    }
  }));
  seen.times.sort((a, b) => a - b);
  return seen;
}

interface Turn {
  who: Browser;
  user: string;
  url: string;
  n: number;
  round: number;
}

function workOf(
  ground: Ground,
  { who, user, url, n, round }: Turn,
): Record<string, () => Promise<void>> {
  const headers = { "x-forwarded-for": `192.0.2.${n + 1}` };
  const get = async (path: string) => void await done(who.call("GET", path, undefined, headers));
  const entity = ground.entities[n]!;
  return {
    whoami: () => get("/api/identity/whoami"),
    lineage: () => get(`/api/dataentities/${ground.small}/lineage/downstream?lineage_depth=1`),
    async search() {
      await done(who.call("POST", "/api/search", { query: "n1", filters: {} }, headers));
    },
    download: () => get(`/api/dataentities/${ground.entities[0]}/files/${ground.file}`),
    async upload() {
      const id = await attach(who, entity, "honest", headers);
      await done(who.call("DELETE", `/api/dataentities/${entity}/files/${id}`, undefined, headers));
    },
    // Sessions of a user are few: each round would end the one that this test uses.
    ...(round % 20 === 0 && {
      async signIn() {
        const form = { username: user, password: passwordOf(user) };
        const answer = await browserAt(url).post("/login", form, headers);
        if (answer.status !== 302) throw new Error(`${answer.status}`);
      },
    }),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const from = { "x-forwarded-for": "203.0.113.66" };

/** Each does its worst once, by one of many at the same time. */
type Hostility = (ground: Ground, url: string, n: number, stop: AbortSignal) => Promise<unknown>;

/** Hostile callers by kind, and how many requests each has at the same time. */
export const hostilities: Record<string, { concurrency: number; once: Hostility }> = {
  "sign-in flood": {
    concurrency: 40,
    once: (_, url, n) =>
      browserAt(url).post("/login", { username: `user ${n}`, password: "x" }, from),
  },
  "deep lineage": {
    concurrency: 40,
    once: ({ mallory, deep }, url) =>
      sameBrowserAt({ url }, mallory).call(
        ...["GET", `/api/dataentities/${deep}/lineage/downstream?lineage_depth=20`] as const,
        ...[undefined, from] as const,
      ),
  },
  "slow downloads": {
    concurrency: 64,
    async once({ mallory, entities, large }, url, _, stop) {
      const path = `/api/dataentities/${entities[0]}/files/${large}`;
      const response = await sameBrowserAt({ url }, mallory).get(path, from);
      // Nothing is read until this ends.
      if (response.status === 200) await ended(stop);
      await response.body?.cancel();
    },
  },
  "unfinished uploads": {
    concurrency: 10,
    once: ({ mallory, entities }, url, n) =>
      sameBrowserAt({ url }, mallory).call(
        ...["POST", uploadsOf(entities[n % entities.length]!), { fileName: "x" }, from] as const,
      ),
  },
  "token guesses": {
    concurrency: 20,
    once: (_, url, n) =>
      fetch(`${url}/api/identity/whoami`, { headers: { ...bearer(`guess ${n}`), ...from } })
        .then((answer) => answer.text()),
  },
  "chat events": {
    concurrency: 40,
    once(_, url) {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const hmac = createHmac("sha256", "another secret").update(timestamp).digest("hex");
      const headers = {
        ...from,
        "content-type": "application/json",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": `v0=${hmac}`,
      };
      const init = { method: "POST", headers, body: `{"a":"${"x".repeat(500_000)}"}` };
      return fetch(`${url}/api/chat/events`, init).then((answer) => answer.text());
    },
  },
};

const ended = (stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });

/** Starts a hostile caller; `stop` ends it, and tells how often it did its worst. */
export function startHostileCaller(ground: Ground, kind: string): { stop(): Promise<number> } {
  const { concurrency, once } = hostilities[kind]!;
  const ending = new AbortController();
  let attempts = 0;
  const loops = Array.from({ length: concurrency }, async () => {
    while (!ending.signal.aborted) {
      const n = attempts++;
      const url = ground.urls[n % ground.urls.length]!;
      await once(ground, url, n, ending.signal).catch(() => {});
      await pause(20);
    }
  });
  return {
    async stop() {
      ending.abort();
      await Promise.all(loops);
      return attempts;
    },
  };
}
