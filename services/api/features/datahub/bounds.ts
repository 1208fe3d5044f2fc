/** Largest body in bytes, after decompression; DataHub's clients divide what is larger than 15 MB. */
export const maxBodyBytes = 20 * 1_048_576;
/** Maximum number of proposals of one body; DataHub's clients send 200. */
export const maxProposals = 2_000;
/** Bodies up to this size in bytes are read on the event loop. */
export const inlineBytes = 64 * 1_024;
/** Maximum number of bodies that wait for the thread which reads larger ones. */
export const maxWaiting = 32;
/** Milliseconds that reading a body may take. */
export const deadlineMs = 60_000;
/** Bodies that are stored at a time, those of one caller, those that wait, and milliseconds that one may wait. */
export const merging = { concurrency: 4, concurrencyPerKey: 3, maxWaiting: 64, waitMs: 20_000 };
export const maxWaitingPerKey = 32;
/** Rejected proposals that an answer names. */
export const maxNamed = 20;
/** Entries of one answer to a question for what happened. */
export const maxEntries = 100;
/** Largest body of a question, in bytes. */
export const maxReadBytes = 256 * 1_024;
