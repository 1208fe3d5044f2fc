import { SpanStatusCode, trace } from "@opentelemetry/api";
import { ZodError } from "zod";
import type {
  ConnectionCheck,
  ConnectionProblem,
  RunState,
} from "#contract/connections/connection.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { type Lease, LeaseLostError } from "#metadata/postgres/leases.ts";
import type { CollectorDeps } from "../deps.ts";
import { type Connector, type Session, SourceError } from "../connector.ts";
import type { ClaimedRun } from "../runs.queries.ts";
import { readOutcomes } from "./outcomes.ts";
import { PublishingSink } from "./publishing.ts";
import { hasOtherSelection, releaseUnselected } from "./release.ts";
import { removeGone } from "./removal.ts";
import { offerRenames } from "./renames.ts";
import { sessionOf } from "./session.ts";
import { CountingSink, type RunReport, type Sink } from "./sink.ts";

/** How a run ended. */
export interface RunEnd {
  state: Exclude<RunState, "QUEUED" | "RUNNING">;
  checks: ConnectionCheck[];
  error: ConnectionProblem | null;
}

/** Why a run was aborted. */
export type AbortReason = "cancelled" | "timeout" | "stopping" | "lost";

/** The run goes on in another process, or in this one once it can. */
export class RunInterrupted extends Error {
  override name = "RunInterrupted";
}

export interface Execution {
  deps: CollectorDeps;
  run: ClaimedRun;
  lease: Lease;
  report: RunReport;
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
    await readOutcomes(execution, sink.batches, signal);
    if (report.isComplete) await endMissing(execution, signal);
  }
  signal.throwIfAborted();
  const isWhole = report.counts.skipped === 0 && report.isComplete;
  return { state: isWhole ? "SUCCEEDED" : "PARTIAL", checks: [], error: null };
}

/** What a complete read did not find is gone, unless the connection selects something else since its last run. */
async function endMissing(execution: Execution, signal: AbortSignal): Promise<void> {
  const { deps, run } = execution;
  if (await hasOtherSelection(deps, run)) await releaseUnselected(execution, signal);
  else {
    await offerRenames(execution);
    await removeGone(execution, signal);
  }
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
