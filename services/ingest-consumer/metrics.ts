import type { Metrics } from "#kit/metrics.ts";
import type { ApplyResult } from "./chunk.ts";

/** Counters of the consumer. */
export class IngestMetrics {
  readonly #chunks;
  readonly #items;
  readonly #typeMismatches;
  readonly #alerts;
  readonly #duration;
  readonly #deadLetters;
  readonly #unnoted;

  constructor(metrics: Metrics) {
    this.#chunks = metrics.counter(
      "tributary_ingest_parts_total",
      "Parts of batches, by outcome: applied, repeated (no further effect) or refused",
      ["outcome"],
    );
    this.#items = metrics.counter(
      "tributary_ingest_items_total",
      "Entities and runs of applied parts, by their effect on the catalogue",
      ["result"],
    );
    this.#typeMismatches = metrics.counter(
      "tributary_ingest_misfits_total",
      "Entities and runs of applied parts whose content does not match their type; the content was used",
    );
    this.#alerts = metrics.counter(
      "tributary_ingest_alerts_total",
      "Alerts that applied parts changed: created, stacked (an open one gained text) or resolved",
      ["change"],
    );
    this.#duration = metrics.histogram(
      "tributary_ingest_part_duration_seconds",
      "Time from receiving a record to its outcome",
      ["outcome"],
    );
    this.#deadLetters = metrics.counter(
      "tributary_ingest_dead_letters_total",
      "Records or items written to the dead letters, by reason",
      ["reason"],
    );
    this.#unnoted = metrics.counter(
      "tributary_ingest_refusals_skipped_total",
      "Rejections whose outcome could not be stored; the dead letter was written",
    );
  }

  /** Counts a part; its `typeMismatches` count only when it took effect, not when it is repeated. */
  applied({ effect, counts, alerts }: ApplyResult, typeMismatches: number): void {
    this.#chunks.inc({ outcome: effect ? "applied" : "repeated" });
    if (effect && typeMismatches > 0) this.#typeMismatches.inc({}, typeMismatches);
    for (const [result, count] of Object.entries(counts)) {
      if (count > 0) this.#items.inc({ result }, count);
    }
    for (const [change, count] of Object.entries(alerts)) {
      if (count > 0) this.#alerts.inc({ change }, count);
    }
  }

  refused(reason: string): void {
    this.#deadLetters.inc({ reason });
  }

  unnotedRefusal(): void {
    this.#unnoted.inc();
  }

  rejectedChunk(): void {
    this.#chunks.inc({ outcome: "refused" });
  }

  took(outcome: "applied" | "refused", milliseconds: number): void {
    this.#duration.observe({ outcome }, milliseconds / 1_000);
  }
}
