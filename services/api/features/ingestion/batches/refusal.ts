import { maxDetails } from "#contract/bounded.ts";
import { type IngestionReport, reportOf } from "#contract/ingestion/report.ts";
import { AppError, type ErrorCode, type ErrorDetail } from "#kit/errors.ts";
import type { TypeMismatch } from "./prepare.ts";
import type { ChunkOutcome } from "./outcomes.ts";

/** A batch that was accepted and published. */
export interface AcceptedBatch {
  /** For each chunk, the indexes of its items in the body. */
  chunks: number[][];
  /** On the items that were left out. */
  report: IngestionReport;
  typeMismatches: TypeMismatch[];
}

/**
 * Whether refused chunks make the whole answer a refusal: when nothing of the batch is or will be
 * applied, or when a chunk failed with what the contract calls a server error.
 */
export function endsBatch(refused: ChunkOutcome[], parts: number): boolean {
  return refused.length === parts ||
    refused.some(({ detail }) => statusOf(detail?.status) >= 500);
}

/**
 * The error answer of such a batch: the worst status of its chunks, the details of all, then those of
 * items left out. The consumer's indexes count within a chunk; they are converted to indexes in the
 * body.
 */
export function refusalOf(refused: ChunkOutcome[], { chunks, report }: AcceptedBatch): AppError {
  const sorted = inOrder(refused);
  const details = sorted.flatMap((one) => detailsOf(one, chunks));
  const worst = Math.max(...sorted.map(({ detail }) => statusOf(detail?.status)));
  const first = sorted.find(({ detail }) => statusOf(detail?.status) === worst);
  const some = refused.length < chunks.length
    ? `; ${chunks.length - refused.length} of ${chunks.length} parts of the batch were not refused`
    : "";
  return new AppError(`${first ? causeOf(first, chunks) : unknownCause}${some}`, {
    status: worst,
    code: codeOf(worst),
    resolvable: worst < 500,
    details: [...details, ...report.details].slice(0, maxDetails),
  });
}

/**
 * The refusal of a batch of which everything belongs to other data sources; undefined when some of it was, or may still be,
 * applied.
 */
export function foreignRefusal(known: ChunkOutcome[], batch: AcceptedBatch): AppError | undefined {
  const { chunks, report: { details } } = batch;
  const all = chunks.every((indexes, part) => {
    const outcome = known.find((one) => one.part === part);
    return outcome?.outcome === "refused" || outcome?.detail?.left_out === indexes.length;
  });
  if (!all) return undefined;
  const foreign = leftOutOf(known);
  return new AppError(`Nothing was applied: ${foreign[0]?.message ?? unknownCause}`, {
    status: 403,
    code: codeOf(403),
    resolvable: true,
    details: [...foreign, ...details].slice(0, maxDetails),
  });
}

/** Details of what chunks that were applied have left out. */
function leftOutOf(known: ChunkOutcome[]): ErrorDetail[] {
  return inOrder(known).filter(({ outcome }) => outcome === "applied")
    .flatMap(({ detail }) => detail?.details ?? []);
}

/**
 * The report on an accepted batch, some chunks of which the consumer refused, or applied but for some items: all items that
 * were not applied, each named while there is room, then those that do not fit their type.
 */
export function reportOn(known: ChunkOutcome[], batch: AcceptedBatch): IngestionReport {
  const { chunks, report, typeMismatches } = batch;
  const refused = known.filter(({ outcome }) => outcome === "refused");
  const leftOut = known.filter(({ outcome }) => outcome === "applied")
    .reduce((sum, { detail }) => sum + (detail?.left_out ?? 0), 0);
  const lost = new Set(refused.flatMap(({ part }) => chunks[part] ?? []));
  const details = inOrder(refused).flatMap((one) => [
    ...detailsOf(one, chunks),
    ...otherChunkDetails(one, chunks),
  ]);
  const remarks = typeMismatches.filter(({ index }) => !lost.has(index))
    .map(({ index, message }) => ({ field: `items[${index}].type`, message }));
  const named = [...report.details, ...details, ...leftOutOf(known), ...remarks];
  return reportOf(report.refused + lost.size + leftOut, named);
}

const unknownCause = "The batch was refused";

function inOrder(refused: ChunkOutcome[]): ChunkOutcome[] {
  return [...refused].sort((a, b) => a.part - b.part);
}

function detailsOf({ part, detail }: ChunkOutcome, chunks: number[][]): ErrorDetail[] {
  const indexes = chunks[part] ?? [];
  return (detail?.details ?? []).map(({ field, message }) => ({
    field: inBody(field, indexes),
    message: inBody(message, indexes),
  }));
}

/** Items of a refused chunk for which the consumer gave no details of their own. */
function otherChunkDetails(refused: ChunkOutcome, chunks: number[][]): ErrorDetail[] {
  const named = new Set(
    detailsOf(refused, chunks).map(({ field }) => /^items\[\d+\]/.exec(field)?.[0]),
  );
  const message = causeOf(refused, chunks);
  return (chunks[refused.part] ?? []).map((index) => `items[${index}]`)
    .filter((field) => !named.has(field)).slice(0, maxDetails)
    .map((field) => ({ field, message }));
}

function causeOf({ part, detail }: ChunkOutcome, chunks: number[][]): string {
  return inBody(detail?.message ?? unknownCause, chunks[part] ?? []);
}

/** Converts item indexes in the consumer's text from the chunk to the body. */
function inBody(text: string, indexes: number[]): string {
  return text.replace(/\bitems\[(\d+)\]/g, (whole, index) => {
    const at = indexes[Number(index)];
    return at === undefined ? whole : `items[${at}]`;
  });
}

function statusOf(status: number | undefined): number {
  return status !== undefined && status >= 400 && status <= 599 ? status : 400;
}

function codeOf(status: number): ErrorCode {
  if (status >= 500) return "SYS001";
  return status === 404 ? "USR002" : "USR001";
}
