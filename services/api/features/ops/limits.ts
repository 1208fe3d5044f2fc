import { type Limit, limit } from "#kit/limits.ts";
import { maxStatements } from "#metadata/postgres/slow-statements.ts";
import { engineTimeoutMs } from "#platform/ops/engines.ts";
import { maxProcesses } from "#platform/ops/workers.ts";

const ops = "/api/ops";

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

/** Limits of the operations for operators. */
export const opsLimits: Limit[] = [
  limit(ops, "dead letters in one answer", maxDeadLetters),
  limit(ops, "dead letters replayed or dropped by one request", maxPerRequest),
  limit(
    ops,
    "characters of a dead letter in a response",
    maxBeginning,
    "the rest is left out",
  ),
  limit(
    ops,
    "differences of each kind shown of a comparison",
    maxDifferences,
    "their number is shown",
  ),
  limit(ops, "time of a comparison, ms", verifyMs, "the comparison fails"),
  limit(ops, "processes listed", maxProcesses, "the newest are left out"),
  limit(ops, "slow statements in one answer", maxSlowStatements),
  limit(
    ops,
    "distinct slow statements of a process in a minute",
    maxStatements,
    "others are counted together",
  ),
  limit(ops, "time for an engine to respond, ms", engineTimeoutMs, "it is `unknown`"),
];
