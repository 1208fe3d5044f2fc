import { type Limit, limit } from "#kit/limits.ts";
import { maxStatements } from "#metadata/postgres/slow-statements.ts";
import { engineTimeoutMs } from "#platform/ops/engines.ts";
import { maxProcesses } from "#platform/ops/workers/queries.ts";
import * as bounds from "#services/api/features/ops/bounds.ts";

const ops = "/api/ops";

/** Limits of the operations for operators. */
export const opsLimits: Limit[] = [
  limit(ops, "dead letters in one answer", bounds.maxDeadLetters),
  limit(ops, "dead letters named by one call, replayed or dropped", bounds.maxPerRequest),
  limit(ops, "characters shown of a dead letter", bounds.maxBeginning, "the rest is left out"),
  limit(
    ops,
    "differences of each kind shown of a comparison",
    bounds.maxDifferences,
    "their number is shown",
  ),
  limit(ops, "milliseconds of a comparison", bounds.verifyMs, "it ends as failed"),
  limit(ops, "processes listed", maxProcesses, "the youngest are left out"),
  limit(ops, "slow statements in one answer", bounds.maxSlowStatements),
  limit(
    ops,
    "distinct slow statements of a process in a minute",
    maxStatements,
    "others are counted together",
  ),
  limit(ops, "milliseconds that an engine has to answer", engineTimeoutMs, "it is `unknown`"),
];
