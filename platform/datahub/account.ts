import type { Metrics } from "#kit/metrics.ts";
import type { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import { isMapped, mappedAspects, timeseriesAspects } from "./aspects.ts";
import type { ReadProposals } from "./read.ts";

/** Under which name rejected and unmapped aspects are listed. */
export const warningNamespace = "datahub";

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
