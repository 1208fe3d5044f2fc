import { maxDetails } from "#contract/bounded.ts";
import {
  checkDataEntityList,
  refusalDetails,
  type RefusedItem,
  repeatedCatrns,
} from "#contract/ingestion/batch.ts";
import { draftsOf } from "#contract/ingestion/drafts.ts";
import { identityOf, refuseForeign, yieldsAt } from "#contract/ingestion/frame.ts";
import { inspectJson, type JsonInspection } from "#contract/ingestion/inspect.ts";
import { type DataEntity, fitsType } from "#contract/ingestion/schema.ts";
import { maxChunkItems } from "#contract/ingestion/split.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { type ErrorDetail, PermanentError } from "#kit/errors.ts";
import type { ChunkIdentity, DraftedChunk, ReceivedChunk, ValidChunk } from "../chunk.ts";

/**
 * Stage 1: checks the record's headers and size. Throws `PermanentError` for a record of another
 * type or major version, and for a value over `maxBytes`.
 */
export function decode(record: LogRecord, maxBytes: number, now?: number): ChunkIdentity {
  refuseForeign(record);
  if (record.value.length > maxBytes) {
    throw new PermanentError(
      "body_too_large",
      `The batch has ${record.value.length} bytes; at most ${maxBytes} are taken`,
    );
  }
  return chunkIdentityOf(record, now);
}

/** The chunk identity of a record; a record written by a collector is named by its place in the log. */
export function chunkIdentityOf(record: LogRecord, now?: number): ChunkIdentity {
  const identity = identityOf(record, now);
  return {
    ...identity,
    direct: identity.batch.includes("/"),
    yieldsAt: yieldsAt(record, identity.receivedAt),
  };
}

/** The result of reading a record: its chunks, each to be applied in its own transaction. */
export interface ReadRecord<D = DraftedChunk> {
  sourceCatrn: string;
  chunks: RecordChunk<D>[];
  /** Items that are refused; only direct records have any. */
  refused: RefusedItem[];
}

interface RecordChunk<D = DraftedChunk> {
  /** The part number of the chunk. */
  part: number;
  /** The index of each item within the record. */
  indexes: number[];
  /** Number of items whose parts do not fit their type. */
  typeMismatches: number;
  drafted: D;
}

/**
 * Stages 2 to 4: everything that depends on the record's bytes alone. `pack` converts each draft
 * for the caller; `inspected` is the result of an earlier inspection. Throws as `validate` does.
 */
export function read<D>(
  body: Uint8Array,
  identity: ChunkIdentity,
  pack: (drafted: DraftedChunk) => D,
  // Limits come first: the memory that translation needs grows with the nesting.
  inspected: JsonInspection = inspectJson(body),
): ReadRecord<D> {
  const valid = validate({ identity, body: translateKeys(body), inspected });
  const chunks = chunksOf(valid).map((chunk) => ({
    part: chunk.identity.part,
    indexes: chunk.indexes,
    typeMismatches: chunk.items.filter((item) => !fitsType(item)).length,
    drafted: pack(draft(chunk)),
  }));
  return { sourceCatrn: valid.sourceCatrn, chunks, refused: valid.refused };
}

/**
 * Stage 2: validates the body against its schema. An invalid item refuses the whole chunk if it came
 * through the API, which has checked each item; in a direct record only that item is refused. Throws
 * `PermanentError`, and the 400 `AppError` of a body that cannot be read at all.
 */
export function validate(received: ReceivedChunk): ValidChunk {
  const checked = checkDataEntityList(received.body, received.inspected);
  const items = checked.items.map(({ item }) => item);
  const indexes = checked.items.map(({ index }) => index);
  const repeated = repeatedCatrns(
    checked.items.map(({ index, item }) => ({ index, catrn: item.catrn })),
  );
  if (repeated) throw new PermanentError("duplicate_catrn", repeated.message, repeated.details);
  if (checked.refused.length > 0 && (!received.identity.direct || items.length === 0)) {
    throw invalidItems(refusalDetails(checked.refused));
  }
  const { data_source_catrn: sourceCatrn, refused } = checked;
  return { ...received, sourceCatrn, items, indexes, refused };
}

/** The refusal of items that violate the schema. */
export function invalidItems(details: ErrorDetail[]): PermanentError {
  const first = details[0];
  return new PermanentError(
    "invalid_items",
    `The body is not valid: ${first?.field ?? "items"} ${first?.message ?? "is wrong"}`,
    details.slice(0, maxDetails),
  );
}

/** Approximate limit on the rows one transaction writes: fields, edges, members, and the items. */
const maxWeight = 20_000;

/**
 * Stage 3: a direct record may have any size, so it is applied in several chunks,
 * numbered from the record's part number. Chunks of HTTP batches were split by the API and stay
 * whole.
 */
export function chunksOf(valid: ValidChunk): ValidChunk[] {
  if (!valid.identity.direct) return [valid];
  const chunks: ValidChunk[] = [];
  let start = 0;
  let weight = 0;
  for (let at = 0; at <= valid.items.length; at++) {
    const next = at < valid.items.length ? weightOf(valid.items[at]!) : Infinity;
    if (at > start && (weight + next > maxWeight || at - start >= maxChunkItems)) {
      chunks.push(chunkOf(valid, start, at, valid.identity.part + chunks.length));
      start = at;
      weight = 0;
    }
    weight += next;
  }
  return chunks;
}

function chunkOf(valid: ValidChunk, from: number, to: number, part: number): ValidChunk {
  return {
    ...valid,
    identity: { ...valid.identity, part },
    items: valid.items.slice(from, to),
    indexes: valid.indexes.slice(from, to),
  };
}

function weightOf(item: DataEntity): number {
  return 1 + (item.dataset?.field_list.length ?? 0) +
    (item.data_transformer?.inputs.length ?? 0) + (item.data_transformer?.outputs.length ?? 0) +
    (item.data_entity_group?.entities_list.length ?? 0) + (item.owners?.length ?? 0) +
    columnEdgesOf(item);
}

function columnEdgesOf({ data_transformer }: DataEntity): number {
  const entries = data_transformer?.column_lineage ?? [];
  return entries.reduce((sum, { sources }) => sum + sources.length, 0);
}

/** Stage 4: what is to be written, by entity and run. */
export function draft({ identity, sourceCatrn, items }: ValidChunk): DraftedChunk {
  return { identity, sourceCatrn, ...draftsOf(items) };
}
