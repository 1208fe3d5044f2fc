import { SpanStatusCode, trace } from "@opentelemetry/api";
import { createHash } from "node:crypto";
import { ZodError } from "zod";
import { system } from "#contract/actor.ts";
import type {
  ConnectionCheck,
  ConnectionProblem,
  RunState,
} from "#contract/connections/connection.ts";
import { canonical } from "#kit/canonical.ts";
import { changingWithin } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { LeaseLostError } from "#metadata/postgres/leases.ts";
import type { PublishedBatch } from "#platform/composed-source/batches.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Connector, Session } from "../connector.ts";
import { type CollectorDeps, transactionUnderLease } from "../deps.ts";
import type { ClaimedRun } from "../runs.queries.ts";
import * as queries from "./items.queries.ts";
import { offerRenames, PublishingSink } from "./publishing.ts";
import { sessionOf } from "./session.ts";
import { CountingSink, type PublishingOptions, type Sink } from "./sink.ts";

/** How a run ended. */
export interface RunEnd {
  state: Exclude<RunState, "QUEUED" | "RUNNING">;
  checks: ConnectionCheck[];
  error: ConnectionProblem | null;
}

/** Why a run was aborted. */
type AbortReason = "cancelled" | "timeout" | "stopping" | "lost";

/** The run goes on in another process, or in this one once it can. */
export class RunInterrupted extends Error {
  override name = "RunInterrupted";
}

interface Execution extends PublishingOptions {
  run: ClaimedRun;
  abort: AbortController;
}

const tracer = trace.getTracer("tributary.collector");

/** Does a run, in a span of its own. Throws `RunInterrupted` when it is to be done again, nothing else. */
export function executeRun(execution: Execution): Promise<RunEnd> {
  const { run } = execution;
  const attributes = { "tributary.connector": run.connector, "tributary.run.kind": run.kind };
  return tracer.startActiveSpan("collector.run", { attributes }, async (span) => {
    try {
      const end = await ended(execution);
      span.setAttribute("tributary.run.state", end.state);
      if (end.error) span.setStatus({ code: SpanStatusCode.ERROR, message: end.error.reason });
      return end;
    } finally {
      span.end();
    }
  });
}

async function ended(execution: Execution): Promise<RunEnd> {
  try {
    return await perform(execution);
  } catch (error) {
    const { run, abort: { signal }, deps } = execution;
    const reason = signal.aborted ? signal.reason as AbortReason : null;
    if (reason === "stopping" || reason === "lost" || error instanceof LeaseLostError) {
      throw new RunInterrupted();
    }
    if (reason === "cancelled") return { state: "CANCELLED", checks: [], error: null };
    const problem = reason === "timeout" ? timedOut(run.name) : problemOf(error, run.name, deps);
    return { state: "FAILED", checks: [], error: problem };
  }
}

async function perform(execution: Execution): Promise<RunEnd> {
  const { deps, run, report, abort: { signal } } = execution;
  const connector = deps.connectors[run.connector]!;
  const session = await sessionOf(deps, run, signal);
  if (run.kind === "TEST") return tested(await connector.check(session));
  if (run.kind === "PREVIEW") await readAll(connector, session, new CountingSink(report));
  else {
    const sink = new PublishingSink(execution);
    await readAll(connector, session, sink);
    await sink.flush();
    await readOutcomes(execution, sink.batches);
    if (report.isComplete) await endMissing(execution);
  }
  signal.throwIfAborted();
  const isWhole = report.counts.skipped === 0 && report.isComplete;
  return { state: isWhole ? "SUCCEEDED" : "PARTIAL", checks: [], error: null };
}

async function readAll(connector: Connector, session: Session, sink: Sink): Promise<void> {
  for await (const finding of connector.read(session)) {
    session.signal.throwIfAborted();
    await sink.add(finding);
  }
}

function tested(checks: ConnectionCheck[]): RunEnd {
  const failed = checks.some(({ outcome }) => outcome === "FAILED");
  return { state: failed ? "FAILED" : "SUCCEEDED", checks, error: null };
}

const timedOut = (name: string): ConnectionProblem => ({
  object: name,
  reason: "the run took longer than connections.max-run-time",
  remedy: "Exclude schemas, or raise connections.max-run-time",
});

/** A failure as a fixed text; what is thrown by libraries may hold secrets, and is not even logged whole. */
function problemOf(error: unknown, object: string, { log }: CollectorDeps): ConnectionProblem {
  if (error instanceof SourceError) return error.problem;
  if (error instanceof ZodError) {
    const reason = `the settings are not valid: ${error.issues[0]?.path.join(".")}`;
    return { object, reason, remedy: "Edit the connection" };
  }
  const isEngine = isMetadataDown(error);
  if (!isEngine) {
    log.error("connection run failed unexpectedly", { connection: object, kind: nameOf(error) });
  }
  const reason = isEngine ? "the catalogue could not store what was read" : "an unexpected failure";
  return { object, reason, remedy: "Run it again; if it stays, see the log" };
}

const nameOf = (error: unknown) => error instanceof Error ? error.name : typeof error;

/** Milliseconds between two looks for outcomes. */
const outcomePollMs = 250;

/**
 * Waits a limited time until batches are applied, and reports what the catalogue refused, such as an asset that another
 * source keeps. That is published again by the next run: until then the catalogue does not hold it.
 */
async function readOutcomes(execution: Execution, batches: PublishedBatch[]): Promise<void> {
  const { deps: { clock, outcomeWaitMs }, abort: { signal } } = execution;
  const waiting = new Map(batches.map((batch) => [batch.id, batch]));
  for (const until = clock.now() + outcomeWaitMs; waiting.size > 0;) {
    await readSomeOutcomes(execution, waiting);
    if (waiting.size === 0 || clock.now() >= until || signal.aborted) return;
    await clock.sleep(outcomePollMs, signal);
  }
}

async function readSomeOutcomes(
  { deps, run, lease, report }: Execution,
  waiting: Map<string, PublishedBatch>,
): Promise<void> {
  const known = await deps.db.query(queries.outcomes, [[...waiting.keys()]]);
  const refused = known.filter((one) => one.refused > 0);
  for (const { refused: count, message } of refused) {
    const reason = `the catalogue refused ${count} assets${message ? `: ${message}` : ""}`;
    const remedy =
      "If a collector reads the same database, delete its data source or this connection";
    report.problem({ object: run.source_catrn, reason, remedy });
  }
  if (refused.length > 0) {
    const times = refused.map(({ batch }) => waiting.get(batch)!.at);
    await transactionUnderLease(
      deps,
      lease,
      (tx) => tx.query(queries.sendAgain, [run.connection_id, times]),
    );
  }
  for (const { batch } of known) waiting.delete(batch);
}

/** What a complete read did not find is gone, unless the connection selects something else since its last run. */
async function endMissing(execution: Execution): Promise<void> {
  if (await hasOtherSelection(execution)) return await inSteps(releaseUnselected, execution);
  await offerRenames(execution);
  await inSteps(removeGone, execution);
}

/** Whether a connection selects something else than in its last run; false when that is not known. */
async function hasOtherSelection({ deps, run }: Execution): Promise<boolean> {
  const [before] = await deps.db.query(queries.lastSelection, [run.connection_id, run.id]);
  return before !== undefined && before.selection !== selectionOf(run.settings);
}

/** Settings that say what of a source is read. */
const selecting = ["include", "exclude", "paths"];

/** A digest of what a connection selects of its source. */
export function selectionOf(settings: unknown): string {
  const given = new Map(Object.entries(settings as Record<string, unknown>));
  const selection = selecting.map((name) => given.get(name) ?? null);
  return createHash("sha256").update(canonical(selection)).digest("hex").slice(0, 16);
}

/** Assets that are removed or released in one transaction. */
const maxEnded = 500;

/** Repeats a step, which returns how many assets it ended, until fewer are left than it takes at once. */
async function inSteps(
  step: (execution: Execution) => Promise<number>,
  execution: Execution,
): Promise<void> {
  const { signal } = execution.abort;
  for (let ended = maxEnded; ended === maxEnded && !signal.aborted;) ended = await step(execution);
}

/**
 * No longer maintains what a complete read with other patterns did not find: the source may still have it, so it stays in
 * the catalogue as it is, and the run names it.
 */
async function releaseUnselected({ deps, run, lease, report }: Execution): Promise<number> {
  const given = [run.connection_id, run.id, run.source_catrn, maxEnded];
  const rows = await transactionUnderLease(deps, lease, (tx) => tx.query(queries.release, given));
  for (const { catrn } of rows.filter(({ isLive }) => isLive)) {
    report.problem({
      object: catrn,
      reason: "it is no longer selected, so this connection no longer maintains it",
      remedy: "Delete it in the catalogue if it is not wanted, or include it again",
    });
  }
  return rows.length;
}

/** Milliseconds after which the last batch of an entity is no longer waited for. */
const maxBatchWaitMs = 60 * 60 * 1_000;

/**
 * Marks as deleted what a complete read no longer found, as somebody would over the API: it comes back with the next
 * batch, with all that people wrote. What belongs to another source by now stays.
 */
async function removeGone({ deps, run, lease, report }: Execution): Promise<number> {
  const now = deps.clock.now();
  const rows = await transactionUnderLease(deps, lease, async (tx) => {
    const given = [run.connection_id, run.id, run.source_catrn, maxEnded, now - maxBatchWaitMs];
    const rows = await tx.query(queries.gone, given);
    if (rows.length === 0) return [];
    await tx.query(queries.forget, [run.connection_id, rows.map(({ catrn }) => catrn)]);
    const ids = rows.flatMap(({ id }) => id === null ? [] : [id]);
    const locked = await lockStatuses(tx, ids);
    const deleted = { status: "DELETED" as const, switchAt: null };
    await changingWithin(
      tx,
      system,
      (change) => applyStatus(change, locked, deleted, new Date(now)),
    );
    return rows;
  });
  report.counts.removed += rows.length;
  return rows.length;
}
