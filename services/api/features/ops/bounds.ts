/** Dead letters in one answer, and those that are replayed or dropped by one call. */
export const maxDeadLetters = 200;
export const maxPerRequest = 1_000;

/** UTF-16 units of a record that are shown. */
export const maxBeginning = 1_000;

/** Differences of each kind that a comparison shows. */
export const maxDifferences = 100;

/** Milliseconds that a comparison may take. */
export const verifyMs = 30 * 60_000;

/** Slow statements in one answer. */
export const maxSlowStatements = 20;

/** Records behind from which a consumer counts as far behind, and changes from which the graph does. */
export const farBehind = 10_000;

/** Minutes without a processed record after which a consumer that is behind counts as stuck. */
export const stuckMinutes = 5;

/** Milliseconds after which a worker that is not ready is a problem; shorter restarts repair themselves. */
export const notReadyMs = 60_000;
