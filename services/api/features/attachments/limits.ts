import { type Limit, limit } from "#kit/limits.ts";
import { uploadLife } from "#metadata/catalogue/uploads.ts";
import { maxEnvelope } from "#platform/http/multipart.ts";

const files = "files of data entities";
const links = "links of data entities";

const queued = (what: string, queue: typeof chunkQueue) => [
  limit(files, `${what} at once`, queue.concurrency, "they wait"),
  limit(files, `${what} at once for one caller`, queue.concurrencyPerKey, "they wait"),
  limit(files, `${what}, waiting`, queue.maxWaiting, "503 with Retry-After"),
  limit(files, `${what}, waiting for one caller`, queue.maxWaitingPerKey, "429 with Retry-After"),
  limit(files, `${what}, wait in ms`, queue.waitMs, "503 with Retry-After; 429 for one's own"),
];

const minute = 60_000;

/** Bytes of one object in the storage, and so what one upload, or one download, holds in memory. */
export const pieceBytes = 2 * 1_048_576;
/** Chunks of one file: their indexes are 0 to one less. */
export const maxChunks = 1_000;
/** Uploads of one entity, of one caller, and of all, that are not complete. */
export const maxOpenOfEntity = 20;
export const maxOpenOfCaller = 50;
export const maxOpen = 1_000;
/** Milliseconds after which an aborted write can no longer complete in the storage. */
export const lateWrites = 10 * minute;
/** Chunks that one process takes, in all and of one caller. */
export const chunkQueue = {
  concurrency: 32,
  concurrencyPerKey: 8,
  maxWaiting: 64,
  maxWaitingPerKey: 16,
  waitMs: 10_000,
};
/** Uploads that one process begins, in all and of one caller: each waits for the others, with a connection to PostgreSQL. */
export const startQueue = {
  concurrency: 4,
  concurrencyPerKey: 2,
  maxWaiting: 64,
  maxWaitingPerKey: 16,
  waitMs: 10_000,
};
/** Downloads that one process sends, in all and to one caller. */
export const downloadQueue = {
  concurrency: 64,
  concurrencyPerKey: 8,
  maxWaiting: 64,
  maxWaitingPerKey: 8,
  waitMs: 10_000,
};
/** Milliseconds in which a client must take what was sent of a file so far. */
export const downloadMaxWait = minute;
/** Names of files and links, and addresses of links, UTF-16 units. */
export const maxFileName = 1_000;
export const maxLinkName = 255;
export const maxLinkUrl = 2_000;
/** Links that are made at once. */
export const maxLinksPerRequest = 1_000;

/** Limits of attachments. */
export const attachmentLimits: Limit[] = [
  limit(files, "a file, MB of 1,000,000 bytes", { key: "attachment.max-file-size" }, "413"),
  limit(files, "files of an entity, uploads included", { key: "attachment.max-files" }),
  limit(files, "chunks of a file", maxChunks),
  limit(files, "other form fields of a chunk, bytes", maxEnvelope, "413"),
  limit(files, "name of a file, UTF-16 units", maxFileName),
  limit(files, "uploads of an entity that are not complete", maxOpenOfEntity, "429"),
  limit(files, "uploads of a caller that are not complete", maxOpenOfCaller, "429"),
  limit(files, "uploads that are not complete, in all", maxOpen, "429"),
  limit(
    files,
    "files that a caller has uploaded, MB of 1,000,000 bytes",
    { key: "attachment.max-total-size-per-caller" },
  ),
  limit(files, "age of an upload, ms", uploadLife, "404: it is aborted"),
  ...queued("uploads that one process begins", startQueue),
  ...queued("chunks that one process takes", chunkQueue),
  ...queued("downloads that one process sends", downloadQueue),
  limit(
    files,
    `time in which a client takes the next ${pieceBytes} bytes of a download, ms`,
    downloadMaxWait,
    "the connection is cut",
  ),
  limit(links, "links of an entity", { key: "attachment.max-links" }),
  limit(links, "links created in one request", maxLinksPerRequest),
  limit(links, "name, UTF-16 units", maxLinkName),
  limit(links, "address, UTF-16 units", maxLinkUrl),
];
