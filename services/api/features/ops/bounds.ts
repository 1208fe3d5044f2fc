/** Dead letters in one answer, and those that are replayed or dropped by one call. */
export const maxDeadLetters = 200;
export const maxPerRequest = 1_000;

/** UTF-16 units of a record that are shown. */
export const maxBeginning = 1_000;

/** Differences of each kind that a comparison shows. */
export const maxDifferences = 100;

/** Milliseconds that a comparison may take. */
export const verifyMs = 30 * 60_000;
