import { type Browser, browserAt } from "#test/support/sign-in/browser.ts";
import { done, sameBrowserAt } from "#test/support/sign-in/entering.ts";
import { attach, type Ground, honestUsers, password } from "./ground.ts";

/** What honest callers saw: milliseconds of each answer by what was done, and what they were refused. */
export interface Honest {
  times: Map<string, number[]>;
  failures: string[];
}

/** Four people who ask, search, download and upload, each a few times a second, at all replicas in turn. */
export async function honestCallers(ground: Ground, forMs: number): Promise<Honest> {
  const seen: Honest = { times: new Map(), failures: [] };
  const end = performance.now() + forMs;
  await Promise.all(honestUsers.map(async (user, n) => {
    for (let round = 0; performance.now() < end; round++) {
      const url = ground.urls[(n + round) % ground.urls.length]!;
      const who = sameBrowserAt({ url }, ground.people[n]!);
      for (const [name, work] of Object.entries(workOf(ground, { who, user, url, n, round }))) {
        const begun = performance.now();
        await work().catch((error) => seen.failures.push(`${name}: ${error}`));
        const ms = performance.now() - begun;
        seen.times.set(name, [...seen.times.get(name) ?? [], ms]);
      }
      await pause(50);
    }
  }));
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
    // Less often than the rest, and one after the other, as people do.
    ...((round + 5 * n) % 20 === 0 && {
      async signIn() {
        const form = { username: user, password };
        const answer = await browserAt(url).post("/login", form, headers);
        if (answer.status !== 302) throw new Error(`${answer.status}`);
      },
    }),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
