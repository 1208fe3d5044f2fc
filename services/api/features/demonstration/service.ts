import { badRequest, messageOf } from "#kit/errors.ts";
import { loadDemonstration } from "#platform/demonstration/load.ts";
import { demonstrationClient } from "#platform/demonstration/client.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { inProcess, type Operations } from "./in-process.ts";
import { maxLoadMs } from "./limits.ts";
import { isEmptyCatalogue } from "./queries.ts";
import type { Demonstration } from "./schemas.ts";

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
