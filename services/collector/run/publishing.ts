import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { DataEntity } from "#contract/ingestion/schema.ts";
import { maxChunkBytes, maxChunkItems } from "#contract/ingestion/split.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type PublishedBatch, publishItems } from "#platform/composed-source/batches.ts";
import { transactionUnderLease } from "../deps.ts";
import type { Finding, Item } from "../connector.ts";
import * as queries from "./items.queries.ts";
import type { PublishingOptions, Sink } from "./sink.ts";
import { UsageRecorder } from "./usage.ts";

/** Milliseconds after which what was published is in the catalogue. */
const settledMs = 60 * 60 * 1_000;

/** Batches of a run whose outcome is read. */
const maxBatches = 1_000;

interface Buffered {
  json: string;
  hash: string;
  /** CATRN of the job: the item itself, or the one that a run is of. */
  job: string;
  /** Days for which it stays when it is not found; 0 for what is gone then. */
  retainDays: number;
  /** Hash of its type and columns in hexadecimal; null where it has none. */
  shape: string | null;
}

/**
 * Publishes what has changed since it was published last, in batches as a collector posts them. Holds one batch at
 * most. A batch is remembered after it is in the log: a kill in between publishes it again, which changes nothing.
 */
export class PublishingSink implements Sink {
  #buffer = new Map<string, Buffered>();
  /** CATRNs of what could not be read and is to stay as it is. */
  #retained: string[] = [];
  #bytes = 0;
  /** What was published, for its outcome. */
  readonly batches: PublishedBatch[] = [];
  readonly #usage: UsageRecorder;

  constructor(private readonly options: PublishingOptions) {
    this.#usage = new UsageRecorder(options);
  }

  async add(finding: Finding): Promise<void> {
    if (finding.kind === "usage") return await this.#usage.add(finding);
    const { report } = this.options;
    if (finding.kind === "note") report.note(finding.note);
    else if (finding.kind === "problem") {
      report.problem(finding.problem);
      if (finding.catrn !== undefined) this.#retained.push(finding.catrn);
      else report.isComplete = false;
    } else this.#take(finding);
    const full = this.#buffer.size >= maxChunkItems || this.#bytes >= maxChunkBytes / 2;
    if (full || this.#retained.length >= maxChunkItems) await this.flush();
  }

  /** Publishes what waits. */
  async flush(): Promise<void> {
    const buffer = this.#buffer;
    const retained = this.#retained;
    [this.#buffer, this.#retained, this.#bytes] = [new Map(), [], 0];
    const changed = await this.#changed(buffer);
    const { deps, run, lease, report } = this.options;
    const isChanged = new Set(changed);
    let publishedAt = 0;
    if (changed.length > 0) {
      const { isSecondary } = deps.connectors[run.connector]!;
      const items = changed.map((catrn) => buffer.get(catrn)!.json);
      const batch = await publishItems(deps, run.source_catrn, items, isSecondary);
      if (this.batches.length < maxBatches) this.batches.push(batch);
      publishedAt = batch.at;
    }
    const others = [...buffer.keys(), ...retained].filter((catrn) => !isChanged.has(catrn));
    report.counts.unchanged += others.length - retained.length;
    await transactionUnderLease(deps, lease, async (tx) => {
      const now = new Date(deps.clock.now());
      const hashes = changed.map((catrn) => buffer.get(catrn)!.hash);
      const days = (catrns: string[]) => catrns.map((catrn) => buffer.get(catrn)?.retainDays ?? 0);
      const shapes = (catrns: string[]) => catrns.map((catrn) => buffer.get(catrn)?.shape ?? null);
      const given = [run.connection_id, changed, hashes, run.id, publishedAt, days(changed), now];
      if (changed.length > 0) await tx.query(queries.remember, [...given, shapes(changed)]);
      if (others.length === 0) return;
      const seen = [run.connection_id, others, run.id, days(others), now, shapes(others)];
      await tx.query(queries.seen, seen);
      await tx.query(queries.touch, [run.source_catrn, others, now]);
    });
    deps.metrics.buffered(0);
  }

  #take({ item, retainDays = 0 }: Extract<Finding, { kind: "item" }>): void {
    const { deps, report } = this.options;
    report.item(item.catrn);
    // An item that the catalogue would refuse costs itself only.
    const checked = DataEntity.safeParse(item);
    if (!checked.success) {
      const reason = checked.error.issues[0]?.message ?? "is not valid";
      report.problem({ object: item.catrn, reason: `cannot be described: ${reason}` });
      this.#retained.push(item.catrn);
      return;
    }
    const json = JSON.stringify(item);
    const hash = createHash("sha256").update(json).digest("hex").slice(0, 32);
    const job = item.data_transformer_run?.transformer_catrn ?? item.catrn;
    this.#buffer.set(item.catrn, { json, hash, job, retainDays, shape: shapeOf(item) });
    this.#bytes += Buffer.byteLength(json) + 1;
    deps.metrics.buffered(this.#bytes);
  }

  /** CATRNs of what is new or differs from what was published, in the order in which they came. */
  async #changed(buffer: Map<string, Buffered>): Promise<string[]> {
    const { deps, run, report } = this.options;
    if (buffer.size === 0) return [];
    const settled = deps.clock.now() - settledMs;
    const given = [run.connection_id, [...buffer.keys()], settled];
    const rows = await deps.db.query(queries.published, given);
    const known = new Map(rows.map(({ catrn, hash }) => [catrn, hash]));
    const left = await this.#leftToEvents(buffer);
    const changed = [...buffer].filter(([catrn, { hash, job }]) =>
      known.get(catrn) !== hash && !left.has(job)
    );
    const added = changed.filter(([catrn]) => !known.has(catrn)).length;
    report.counts.added += added;
    report.counts.changed += changed.length - added;
    return changed.map(([catrn]) => catrn);
  }

  /** CATRNs of jobs that OpenLineage events report: their inputs and outputs are those of real runs. */
  async #leftToEvents(buffer: Map<string, Buffered>): Promise<Set<string>> {
    const { deps, run } = this.options;
    if (!deps.connectors[run.connector]!.yieldsToEvents) return new Set();
    const jobs = new Set([...buffer.values()].map(({ job }) => job));
    const rows = await deps.db.query(queries.reportedByEvents, [[...jobs]]);
    return new Set(rows.map(({ key }) => key));
  }
}

/** A hash of what an item is and of its columns in order, in hexadecimal; null for one without columns. */
function shapeOf({ type, dataset }: Item): string | null {
  const fields = dataset?.field_list ?? [];
  if (fields.length === 0) return null;
  const columns = fields.map((field) => [field.name, field.type?.type, field.type?.logical_type]);
  return createHash("sha256").update(JSON.stringify([type, columns])).digest("hex").slice(0, 32);
}

/**
 * Notes what was probably renamed: of what a complete read no longer found, each dataset with the columns of exactly one
 * that it found for the first time, in the same place or under the same name. Nothing is carried over: somebody decides.
 */
export async function offerRenames({ deps, run, lease }: PublishingOptions): Promise<void> {
  await transactionUnderLease(
    deps,
    lease,
    (tx) => tx.query(offer, [run.connection_id, run.id]),
  );
}

const place = (catrn: string) => `regexp_replace(${catrn}, '/[^/]*$', '')`;
const lastName = (catrn: string) => `substring(${catrn} FROM '[^/]*$')`;

/**
 * $1 connection, $2 run: offers of renames. Several with the same columns tell nothing, and what nobody wrote about needs
 * no offer.
 */
const offer = statement("collector-offer-renames")`
  WITH gone AS MATERIALIZED (
    SELECT i.catrn, i.shape, e.id
      FROM connection_item i JOIN data_entity e ON e.catrn = i.catrn AND NOT e.hollow AND is_live(e.status)
     WHERE i.connection_id = $1 AND i.run_id <> $2 AND i.shape IS NOT NULL),
  pairs AS (
    SELECT g.id, n.catrn, count(*) OVER (PARTITION BY g.id) AS of_old, count(*) OVER (PARTITION BY n.catrn) AS of_new
      FROM gone g JOIN connection_item n ON n.connection_id = $1 AND n.shape = g.shape
     WHERE n.run_id = $2 AND n.added_run_id = $2
       AND (${place("n.catrn")} = ${place("g.catrn")} OR ${lastName("n.catrn")} = ${
  lastName("g.catrn")
}))
  INSERT INTO rename_offer (connection_id, run_id, old_id, new_catrn, columns)
  SELECT $1, $2, id, catrn, (SELECT count(*) FROM latest_fields(ARRAY[id]))
    FROM pairs WHERE of_old = 1 AND of_new = 1 AND has_written(id) ORDER BY id
  ON CONFLICT (old_id, new_catrn) DO UPDATE
    SET run_id = excluded.run_id, found_at = now(), decision = NULL, decided_by = NULL, decided_at = NULL`;
