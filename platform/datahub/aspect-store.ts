import { AppError, unavailable } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { ReadProposals } from "./read.ts";
import { load, newEntities } from "./store.queries.ts";
import { mergeProposals } from "./store.ts";

/** Proposals that are stored in one transaction. */
export const maxTogether = 500;

/** Milliseconds for which it is known how much is stored and waits. */
const loadMs = 2_000;

/** Stores proposals within the bounds of the configuration. */
export class AspectStore {
  #load = { at: -Infinity, entities: 0, waiting: 0 };

  constructor(private readonly deps: Pick<Context, "config" | "db" | "clock">) {}

  /** Stores what was read; resolves once it is durable. Throws 400 when no more entities may be stored. */
  async store({ accepted, deletions }: ReadProposals): Promise<void> {
    const { db, clock, config } = this.deps;
    await this.#requireEntities([...new Set(accepted.map(({ urn }) => urn))]);
    const refreshBefore = clock.now() - config.datahub.refresh;
    await mergeProposals(db, { proposals: [], deletions, refreshBefore });
    for (let at = 0; at < accepted.length; at += maxTogether) {
      const proposals = accepted.slice(at, at + maxTogether);
      await mergeProposals(db, { proposals, deletions: [], refreshBefore });
    }
  }

  /** Throws 503 while too much waits to be published. */
  async requireCapacity(): Promise<void> {
    const { clock, db, config } = this.deps;
    const max = config.datahub["max-waiting"];
    if (clock.now() - this.#load.at >= loadMs) {
      const [row] = await db.query(load, [max + 1]);
      this.#load = { at: clock.now(), ...row! };
    }
    if (this.#load.waiting <= max) return;
    throw unavailable(`More than ${max} changed entities wait to be published`, 10);
  }

  /** Throws 400 when no more entities may be stored, unless these all are. */
  async #requireEntities(urns: string[]): Promise<void> {
    const max = this.deps.config.datahub["max-entities"];
    if (this.#load.entities < max) return;
    const [row] = await this.deps.db.query(newEntities, [urns]);
    if (row!.count === 0) return;
    throw new AppError(`At most ${max} entities are stored (datahub.max-entities)`, {
      status: 400,
      code: "USR003",
      resolvable: true,
    });
  }
}
