import type { Database } from "#metadata/postgres/database.ts";
import { insertEdges, insertEntities } from "#test/support/seed/catalogue.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import type { Browser } from "#test/support/sign-in/browser.ts";
import { done, signedIn } from "#test/support/sign-in/entering.ts";

export const honestUsers = ["ada", "bob", "cyd", "dan"];
const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
export const password = "the word of a caller";
/** Of `password`, by cost: of a comparison that takes some milliseconds, for tests on busy machines, and a tenth of a second. */
export const hashes = {
  cheap: "$2b$06$2a8rujhL8cng7BNKCQLiR.iKLl63nQf.qgWwrW4p0ADRh3sy2Kz52",
  usual: "$2b$10$Td3cAvMN/Xj1zPAMNZ2Qje4i98NSLYBswRMb0v04ksWRYE8rpZWQy",
} as const;

/** Environment of an `api` whose clients come through a proxy on this machine. */
export const callersEnv = (hash: string) => ({
  AUTH_TYPE: "LOGIN_FORM",
  AUTH_LOGIN_FORM_CREDENTIALS: [...honestUsers, "mallory"]
    .map((user) => `${user}:${hash}`).join(","),
  SESSION_PROVIDER: "INTERNAL_POSTGRESQL",
  // Honest callers sign in again and again, which must not end the sessions that they use.
  SESSION_MAX_PER_USER: "1000",
  SERVER_TRUSTED_PROXIES: "127.0.0.1",
  DATACOLLABORATION_ENABLED: "true",
  DATACOLLABORATION_CHAT_OAUTH_TOKEN: "xoxb-of-a-test",
  DATACOLLABORATION_SIGNING_SECRET: signingSecret,
});

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
  const people = await Promise.all(honestUsers.map((user) => signedIn(at, user, password)));
  const mallory = await signedIn(at, "mallory", password);
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

export const uploadsOf = (entity: number) => `/api/dataentities/${entity}/files/uploads`;

/** Uploads a file in one chunk; its id. */
export async function attach(
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
