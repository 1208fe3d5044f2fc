import { type Limit, limit } from "#kit/limits.ts";
import { maxEnvelope } from "#platform/http/multipart.ts";
import * as bounds from "./bounds.ts";

const files = "files of data entities";
const links = "links of data entities";

const configured = (entrance: string, what: string, key: string, beyond: string): Limit => ({
  entrance,
  bounds: what,
  limit: { key },
  beyond,
});

const queued = (
  what: string,
  queue: { readonly [K in keyof typeof bounds.chunkQueue]: number },
) => [
  limit(files, `${what} at once`, queue.concurrency, "they wait"),
  limit(files, `${what} at once for one caller`, queue.concurrencyPerKey, "they wait"),
  limit(files, `${what}, waiting`, queue.maxWaiting, "503 with Retry-After"),
  limit(files, `${what}, waiting for one caller`, queue.maxWaitingPerKey, "429 with Retry-After"),
  limit(files, `${what}, wait in ms`, queue.waitMs, "503 with Retry-After; 429 for one's own"),
];

/** Limits of attachments. */
export const attachmentLimits: Limit[] = [
  configured(files, "a file, MB of 1,000,000 bytes", "attachment.max-file-size", "413"),
  configured(files, "files of an entity, uploads included", "attachment.max-files", "400"),
  limit(files, "chunks of a file", bounds.maxChunks),
  limit(files, "other form fields of a chunk, bytes", maxEnvelope, "413"),
  limit(files, "name of a file, UTF-16 units", bounds.maxFileName),
  limit(files, "uploads of an entity that are not complete", bounds.maxOpenOfEntity, "429"),
  limit(files, "uploads of a caller that are not complete", bounds.maxOpenOfCaller, "429"),
  limit(files, "uploads that are not complete, in all", bounds.maxOpen, "429"),
  configured(
    files,
    "files that a caller has uploaded, MB of 1,000,000 bytes",
    "attachment.max-total-size-per-caller",
    "400",
  ),
  limit(files, "age of an upload, ms", bounds.uploadLife, "404: it is aborted"),
  ...queued("uploads that one process begins", bounds.startQueue),
  ...queued("chunks that one process takes", bounds.chunkQueue),
  ...queued("downloads that one process sends", bounds.downloadQueue),
  limit(
    files,
    `time in which a client takes the next ${bounds.pieceBytes} bytes of a download, ms`,
    bounds.downloadMaxWait,
    "the connection is cut",
  ),
  configured(links, "links of an entity", "attachment.max-links", "400"),
  limit(links, "links created in one request", bounds.maxLinksPerRequest),
  limit(links, "name, UTF-16 units", bounds.maxLinkName),
  limit(links, "address, UTF-16 units", bounds.maxLinkUrl),
];
