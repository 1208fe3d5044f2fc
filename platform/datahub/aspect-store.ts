import { AppError, unavailable } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Context } from "#platform/context.ts";
import type { ReadProposals } from "./read.ts";
import { load, newEntities } from "./store.queries.ts";
import { mergeProposals } from "./store.ts";
import { isMapped, mappedAspects, timeseriesAspects } from "./aspects.ts";

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

/** Under which name rejected and unmapped aspects are listed. */
const warningNamespace = "datahub";

/** Counts aspects, and records what was rejected or is not mapped. */
export class AspectAccount {
  readonly #aspects;

  constructor(metrics: Metrics, private readonly intakeWarnings: IntakeWarnings) {
    this.#aspects = metrics.counter(
      "tributary_datahub_aspects_total",
      "Aspects that collectors of DataHub sent; those of unknown names as other",
      ["aspect", "outcome"],
    );
  }

  /** What is stored. */
  accepted({ accepted }: Pick<ReadProposals, "accepted">): void {
    const unmapped = new Map<string, number>();
    for (const { aspect } of accepted) {
      const hasMapping = isMapped(aspect);
      this.#aspects.inc({ aspect: labelOf(aspect), outcome: hasMapping ? "mapped" : "stored" });
      if (!hasMapping) unmapped.set(aspect, (unmapped.get(aspect) ?? 0) + 1);
    }
    for (const [name, count] of unmapped) {
      const reason = "the catalogue has nothing that this aspect becomes; it is stored and counted";
      this.#note({ name, kind: "not_mapped", reason }, count);
    }
  }

  rejected({ rejected }: Pick<ReadProposals, "rejected">): void {
    for (const { aspect, urn, reason } of rejected) {
      this.#aspects.inc({ aspect: labelOf(aspect), outcome: "rejected" });
      this.#note({ name: `${aspect} ${urn}`.trim(), kind: "refused", reason }, 1);
    }
  }

  /** A record of a topic that holds no proposal. */
  unreadable(topic: string, reason: string): void {
    this.#aspects.inc({ aspect: "other", outcome: "rejected" });
    this.#note({ name: topic, kind: "unreadable", reason }, 1);
  }

  #note(warning: { name: string; kind: string; reason: string }, count: number): void {
    this.intakeWarnings.note({ namespace: warningNamespace, ...warning }, count);
  }
}

function labelOf(aspect: string): string {
  return mappedAspects.has(aspect) || timeseriesAspects.has(aspect) ? aspect : "other";
}
