import { type Limit, limit } from "#kit/limits.ts";
import { maxStatements } from "#metadata/postgres/slow-statements.ts";
import { engineTimeoutMs } from "#platform/ops/engines.ts";
import { maxProcesses } from "#platform/ops/workers/queries.ts";
import * as bounds from "#services/api/features/ops/bounds.ts";

const ops = "/api/ops";

/** Limits of the operations for operators. */
export const opsLimits: Limit[] = [
  limit(ops, "dead letters in one answer", bounds.maxDeadLetters),
  limit(ops, "dead letters replayed or dropped by one request", bounds.maxPerRequest),
  limit(
    ops,
    "characters of a dead letter in a response",
    bounds.maxBeginning,
    "the rest is left out",
  ),
  limit(
    ops,
    "differences of each kind shown of a comparison",
    bounds.maxDifferences,
    "their number is shown",
  ),
  limit(ops, "time of a comparison, ms", bounds.verifyMs, "the comparison fails"),
  limit(ops, "processes listed", maxProcesses, "the newest are left out"),
  limit(ops, "slow statements in one answer", bounds.maxSlowStatements),
  limit(
    ops,
    "distinct slow statements of a process in a minute",
    maxStatements,
    "others are counted together",
  ),
  limit(ops, "time for an engine to respond, ms", engineTimeoutMs, "it is `unknown`"),
];
