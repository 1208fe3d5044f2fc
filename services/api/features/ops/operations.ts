import { z } from "@hono/zod-openapi";
import { integerQuery, textQuery } from "#contract/http.ts";
import { operation } from "#platform/operations/declare.ts";
import { maxDeadLetters } from "#services/api/features/ops/limits.ts";
import {
  DeadLetterId,
  DeadLetterSelection,
  OpsDeadLetterList,
  OpsDropped,
  OpsReplayed,
} from "#services/api/features/ops/dead-letters.ts";
import * as shapes from "#services/api/features/ops/schemas.ts";

const common = { tag: "operations" };
const view = { permission: "OPERATIONS_VIEW", on: "MANAGEMENT" } as const;
const manage = { permission: "OPERATIONS_MANAGE", on: "MANAGEMENT" } as const;
const activity = { none: "the feed contains changes of entities; this is audited" };

export const enginesSpec = operation({
  ...common,
  id: "getEngines",
  method: "get",
  path: "/api/ops/engines",
  summary: "Whether each engine responds, its latency, and its release",
  access: view,
  responses: { 200: { description: "Each engine", schema: shapes.OpsEngineList } },
});

export const workersSpec = operation({
  ...common,
  id: "getWorkers",
  method: "get",
  path: "/api/ops/workers",
  summary: "State of the workers of every process, with cause, time and what to do",
  access: view,
  responses: { 200: { description: "Every process", schema: shapes.OpsProcessList } },
});

export const lagSpec = operation({
  ...common,
  id: "getConsumerLag",
  method: "get",
  path: "/api/ops/lag",
  summary: "How many records each consumer has still to do, by partition",
  access: view,
  responses: { 200: { description: "Every consumer", schema: shapes.OpsConsumerLagList } },
});

export const summarySpec = operation({
  ...common,
  id: "getOperationsSummary",
  method: "get",
  path: "/api/ops/summary",
  summary: "Whether the instance works, and every problem with what to do",
  access: view,
  responses: { 200: { description: "State and problems", schema: shapes.OpsSummary } },
});

export const slowStatementsSpec = operation({
  ...common,
  id: "getSlowStatements",
  method: "get",
  path: "/api/ops/slow-statements",
  summary: "SQL statements that took long in the last 24 hours",
  access: view,
  responses: { 200: { description: "At most 20", schema: shapes.OpsSlowStatementList } },
});

export const backupSpec = operation({
  ...common,
  id: "getBackupStatus",
  method: "get",
  path: "/api/ops/backup",
  summary: "Whether backups are scheduled, and when the newest was made",
  access: view,
  responses: { 200: { description: "Scheduled backups", schema: shapes.OpsBackup } },
});

export const bundleSpec = operation({
  ...common,
  id: "getSupportBundle",
  method: "get",
  path: "/api/ops/support-bundle",
  summary:
    "An archive for support, without secrets: versions, configuration, states, metrics, logs",
  access: manage,
  responses: {
    200: {
      description: "A tar archive, compressed by gzip",
      contentType: "application/gzip",
      headers: { "Content-Disposition": "The name of the file" },
    },
  },
  secret: true,
});

export const historySpec = operation({
  ...common,
  id: "getOperationsHistory",
  method: "get",
  path: "/api/ops/history",
  summary: "Throughput, lag and errors of the last 24 hours",
  access: view,
  responses: { 200: { description: "Series of equal length", schema: shapes.OpsHistory } },
});

export const slotSpec = operation({
  ...common,
  id: "getReplicationSlot",
  method: "get",
  path: "/api/ops/slot",
  summary: "The replication slot of alert changes, and the number of waiting changes",
  access: view,
  responses: { 200: { description: "Slot and publication", schema: shapes.OpsSlot } },
});

export const projectionSpec = operation({
  ...common,
  id: "getProjection",
  method: "get",
  path: "/api/ops/projection",
  summary: "Position of the lineage graph, and the result of the last comparison",
  access: view,
  responses: { 200: { description: "The projection", schema: shapes.OpsProjection } },
});

export const verifySpec = operation({
  ...common,
  id: "verifyProjection",
  method: "post",
  path: "/api/ops/projection/verify",
  summary: "Start a comparison of graph and metadata; GET /api/ops/projection shows its progress",
  access: manage,
  activity,
  responses: {
    200: {
      description: "The comparison; a short one has ended already",
      schema: shapes.OpsVerification,
    },
  },
});

export const deadLettersSpec = operation({
  ...common,
  id: "getDeadLetters",
  method: "get",
  path: "/api/ops/dead-letters",
  summary:
    "What was refused and not dealt with, with the reason, the oldest of each partition first",
  access: view,
  query: z.object({
    size: integerQuery("size", { min: 1, max: maxDeadLetters, default: 30 }),
    after: DeadLetterId.optional().openapi({
      param: {
        name: "after",
        in: "query",
        required: false,
        description: "`next` of the page before",
      },
    }),
    reason: textQuery("reason"),
  }),
  responses: { 200: { description: "One page", schema: OpsDeadLetterList } },
  // Records are what collectors sent: nobody's cache is to keep them.
  secret: true,
});

export const replaySpec = operation({
  ...common,
  id: "replayDeadLetters",
  method: "post",
  path: "/api/ops/dead-letters/replay",
  summary: "Replay dead letters into their topics, at most a thousand at once",
  access: manage,
  activity,
  body: DeadLetterSelection,
  responses: { 200: { description: "How many", schema: OpsReplayed } },
});

export const dropSpec = operation({
  ...common,
  id: "dropDeadLetters",
  method: "post",
  path: "/api/ops/dead-letters/drop",
  summary: "Mark dead letters as resolved, at most a thousand at once",
  access: manage,
  activity,
  body: DeadLetterSelection,
  responses: { 200: { description: "How many", schema: OpsDropped } },
});
