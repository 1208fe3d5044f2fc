const minute = 60_000;

/** Bytes of one object in the storage, and so what one upload, or one download, holds in memory. */
export const pieceBytes = 2 * 1_048_576;
/** Chunks of one file: their indexes are 0 to one less. */
export const maxChunks = 1_000;
/** Uploads of one entity, of one caller, and of all, that are not complete. */
export const maxOpenOfEntity = 20;
export const maxOpenOfCaller = 50;
export const maxOpen = 1_000;
/** Milliseconds after which an incomplete upload is aborted. */
export const uploadLife = 24 * 60 * minute;
/** Milliseconds after which an aborted write can no longer complete in the storage. */
export const lateWrites = 10 * minute;
/** Chunks that one process takes, in all and of one caller. */
export const chunkQueue = {
  concurrency: 32,
  concurrencyPerKey: 8,
  maxWaiting: 64,
  maxWaitingPerKey: 16,
  waitMs: 10_000,
} as const;
/** Uploads that one process begins, in all and of one caller: each waits for the others, with a connection to PostgreSQL. */
export const startQueue = {
  concurrency: 4,
  concurrencyPerKey: 2,
  maxWaiting: 64,
  maxWaitingPerKey: 16,
  waitMs: 10_000,
} as const;
/** Downloads that one process sends, in all and to one caller. */
export const downloadQueue = {
  concurrency: 64,
  concurrencyPerKey: 8,
  maxWaiting: 64,
  maxWaitingPerKey: 8,
  waitMs: 10_000,
} as const;
/** Milliseconds in which a client must take what was sent of a file so far. */
export const downloadMaxWait = minute;
/** Names of files and links, and addresses of links, UTF-16 units. */
export const maxFileName = 1_000;
export const maxLinkName = 255;
export const maxLinkUrl = 2_000;
/** Links that are made at once. */
export const maxLinksPerRequest = 1_000;
