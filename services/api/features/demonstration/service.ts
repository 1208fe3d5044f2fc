import { z } from "@hono/zod-openapi";
import { Int, nullable } from "#contract/catalogue/common.ts";
import { badRequest, messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { limit } from "#kit/limits.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { loadDemonstration } from "#platform/demonstration/load.ts";
import { type Call, demonstrationClient } from "#platform/demonstration/client.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { errorReply } from "#platform/http/errors.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import { call } from "#platform/operations/call.ts";
import type { Reply, Route } from "#platform/operations/declare.ts";

/** Milliseconds after which loading ends unfinished. */
const maxLoadMs = 5 * 60_000;

/** Limits of the demonstration. */
export const demonstrationLimits = [
  limit("POST /api/demonstration", "time to load, ms", maxLoadMs, "loading ends with an error"),
];

const demonstrationStates = [
  "AVAILABLE",
  "RUNNING",
  "DONE",
  "FAILED",
  "UNAVAILABLE",
] as const;

/**
 * Whether the demonstration can be loaded, and how far that is: `AVAILABLE` on an empty catalogue only, `UNAVAILABLE` on any
 * other. `next` is what is loaded at the moment, `problem` why it failed.
 */
export const Demonstration = z.object({
  state: z.enum(demonstrationStates).openapi("DemonstrationState"),
  done: Int,
  total: Int,
  next: nullable(z.string()),
  problem: nullable(z.string()),
}).openapi("Demonstration");
export type Demonstration = z.output<typeof Demonstration>;

type Deps = Pick<Context, "db" | "cache" | "clock" | "config" | "leases" | "log">;

const key = "demonstration";
/** Name of the collector by which it is taken in where ingestion requires a token. */
const collectorName = "Demonstration";
/** Milliseconds in which what came of it can be read. */
const rememberedMs = 10 * 60_000;

const idle = { done: 0, total: 0, next: null, problem: null };

/** Loads the demonstration in the background, once at a time on all replicas, and reports progress. */
export class DemonstrationLoader {
  #running: Promise<void> | undefined;
  readonly #ended = new AbortController();

  constructor(private readonly deps: Deps, private readonly operations: () => Operations) {}

  /** How far it is; of a load on another replica only where replicas share a cache. */
  async status(): Promise<Demonstration> {
    const stored = await this.deps.cache.get(key);
    if (stored) return JSON.parse(stored) as Demonstration;
    const state = await isEmptyCatalogue(this.deps.db) ? "AVAILABLE" : "UNAVAILABLE";
    return { ...idle, state };
  }

  /**
   * Begins to load; the answer is the state of then. Throws 400 on a catalogue that is not empty, and while it is being
   * loaded.
   */
  async start(actor: Caller): Promise<Demonstration> {
    const { db, leases } = this.deps;
    if (!await isEmptyCatalogue(db)) {
      throw badRequest("The demonstration is loaded into an empty catalogue only: this one is not");
    }
    if (this.#running || !await leases.acquire(key, maxLoadMs)) {
      throw badRequest("The demonstration is being loaded already");
    }
    const begun: Demonstration = { ...idle, state: "RUNNING", next: "Data sources" };
    await this.#tell(begun);
    this.#running = this.#load(actor).finally(() => this.#running = undefined);
    return begun;
  }

  /** Ends a load at its next step. */
  stop(): void {
    this.#ended.abort(new Error("The server stopped"));
  }

  async #load(actor: Caller): Promise<void> {
    const { clock, leases, log } = this.deps;
    const end = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(maxLoadMs)]);
    let last: Demonstration = { ...idle, state: "RUNNING" };
    try {
      await loadDemonstration(await this.#client(actor), {
        now: clock.now(),
        print: () => {},
        progress: async (done, total, next) => {
          end.throwIfAborted();
          last = { state: "RUNNING", done, total, next, problem: null };
          await this.#tell(last);
        },
      });
      await this.#tell({ ...last, state: "DONE", next: null });
      log.info("demonstration loaded", { by: actor.name });
    } catch (error) {
      log.error("demonstration could not be loaded", { error });
      await this.#tell({ ...last, state: "FAILED", problem: messageOf(error) });
    } finally {
      await leases.release(key).catch(() => {});
    }
  }

  #tell(state: Demonstration): Promise<void> {
    return this.deps.cache.set(key, JSON.stringify(state), rememberedMs);
  }

  /** Calls operations as the person who began it; as a collector of its own, where ingestion requires a token. */
  async #client(person: Caller) {
    const operations = this.operations();
    const plain = demonstrationClient(inProcess(operations, { person }));
    if (!this.deps.config.auth.ingestion.filter.enabled) return plain;
    const { id } = await plain.ask("POST", "/api/collectors", { name: collectorName });
    const collector: Caller = {
      kind: "collector",
      name: collectorName,
      provider: "",
      credential: "collector-token",
      tokenOf: { kind: "collector", id },
    };
    return demonstrationClient(inProcess(operations, { person, collector }));
  }
}

interface Operations {
  routes: readonly Route[];
  authorizer: Authorizer;
  log: Logger;
}

/** Who calls: operations that take metadata in are called as a collector, where one is given. */
interface Callers {
  person: Caller;
  collector?: Caller;
}

/**
 * Calls operations of this process as their callers would over HTTP: admitted by the same permissions and validated by the
 * same schemas.
 */
function inProcess({ routes, authorizer, log }: Operations, callers: Callers): Call {
  return async (method, path, body) => {
    const url = new URL(path, "http://in-process");
    const { route, params } = routeOf(routes, method, url.pathname);
    const isText = typeof body === "string";
    const request = new Request(url, {
      method,
      headers: { "content-type": isText ? "text/csv" : "application/json" },
      body: isText ? body : body === undefined ? undefined : JSON.stringify(body),
    });
    const query = Object.fromEntries(url.searchParams);
    const actor = route.spec.access === "collector"
      ? callers.collector ?? callers.person
      : callers.person;
    try {
      return answerOf(await call(route, { params, query, body, request }, actor, authorizer));
    } catch (error) {
      const { status, headers, body } = errorReply(error, log, request);
      const text = await new Response(body).text();
      return { status, header: (name) => headers.get(name), text: () => Promise.resolve(text) };
    }
  };
}

/** The operation of a path, with the parameters in it; those without parameters come before those with some. */
function routeOf(routes: readonly Route[], method: string, path: string) {
  const steps = path.split("/").map(decodeURIComponent);
  const found = routes.flatMap((route) => {
    const params = route.spec.method === method.toLowerCase() && matched(route.spec.path, steps);
    return params ? [{ route, params }] : [];
  });
  const [first] = found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (!first) throw new Error(`there is no operation ${method} ${path}`);
  return first;
}

function matched(template: string, steps: string[]): Record<string, string> | undefined {
  const parts = template.split("/");
  if (parts.length !== steps.length) return undefined;
  const params: [string, string][] = [];
  for (const [at, part] of parts.entries()) {
    if (part.startsWith("{")) params.push([part.slice(1, -1), steps[at]!]);
    else if (part !== steps[at]) return undefined;
  }
  return Object.fromEntries(params);
}

function answerOf(reply: Reply) {
  const text = reply.json ?? (reply.body === undefined ? "" : JSON.stringify(reply.body));
  const headers = new Headers(reply.headers);
  return {
    status: reply.status,
    header: (name: string) => headers.get(name),
    text: () => Promise.resolve(text),
  };
}

const empty = statement<{ empty: boolean }>("catalogue-is-empty")`
  SELECT NOT EXISTS (SELECT FROM data_entity) AND NOT EXISTS (SELECT FROM term)
     AND NOT EXISTS (SELECT FROM lookup_table) AS empty`;

/** Whether nothing was ever taken in or written here. */
async function isEmptyCatalogue(db: Queryable): Promise<boolean> {
  return (await db.query(empty))[0]!.empty;
}
