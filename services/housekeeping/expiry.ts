import { system } from "#contract/actor.ts";
import { type EntityClass, entityStatuses, type EntityType } from "#contract/entities.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { applyStatus, isTemporary, lockStatuses } from "#metadata/catalogue/statuses.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { SourceAlerts } from "#platform/source-alerts.ts";
import {
  clearDecision,
  type EvaluatedSource,
  evaluateSources,
  recordHalted,
  spendApproval,
} from "#platform/stale/evaluate.ts";
import {
  candidatesOf,
  endEdgesOf,
  lockSource,
  rememberSeen,
  statesOf,
} from "#platform/stale/queries.ts";
import { endColumnEdges } from "./purge.ts";

/** Entities that expire in one transaction. */
export const chunkSize = 500;

type StaleDeps = Pick<Context, "db" | "config" | "clock" | "log" | "metrics">;

/**
 * Lets expire what the policies of `housekeeping.stale` say, source by source and in chunks; yields how many after
 * each. Of a source that was not seen in each half of its period nothing expires, and of one with too many
 * nothing until somebody approves: an alert says so, once. Keeps when each source was seen.
 */
export async function* sweepStale(context: StaleDeps, now: Date): AsyncGenerator<number> {
  const { db, config } = context;
  const { stale } = config.housekeeping;
  let halted = 0;
  for await (const evaluated of evaluateSources(db, stale, now)) {
    const { source, survey, period, state } = evaluated;
    await rememberSeen(db, source.id, survey.seen, period.cutoff);
    if (state === "held") halted++;
    if (stale["dry-run"]) continue;
    if (state === "held") await logHalted(context, evaluated);
    else if (state === "due") yield* expire(context, evaluated, now);
    else if (evaluated.decision.held !== null) await clearDecision(db, source.id);
  }
  context.metrics.gauge(
    "tributary_stale_sources_held",
    "Data sources with more stale entities than may expire without approval",
  ).set({}, halted);
}

async function logHalted(
  context: StaleDeps,
  { source, survey, fuse, decision, policy }: EvaluatedSource,
) {
  if (decision.held === null) {
    // No command to copy: the CATRN is a collector's word.
    const message =
      `${survey.stale} of ${survey.live} entities were not seen for ${
        policy.after / 3_600_000
      } h, more than the ${fuse} that expire at once; nothing was done. If it is right, approve ` +
      `${survey.stale} of this source (npm run stale -- approve)`;
    await new SourceAlerts(context).take([
      { data_source_catrn: source.catrn, type: "AGENT_ERROR", message },
    ]);
    context.log.warn("fuse prevents the expiry of stale entities", {
      source: source.catrn,
      ...survey,
      fuse,
    });
  }
  await recordHalted(context.db, source.id, survey.stale);
}

async function* expire(
  context: StaleDeps,
  evaluated: EvaluatedSource,
  now: Date,
): AsyncGenerator<number> {
  for (let found = chunkSize; found === chunkSize;) {
    const batch = await expireChunk(context, evaluated, now);
    found = batch.found;
    yield batch.expired;
  }
  await clearDecision(context.db, evaluated.source.id);
}

function expireChunk({ db }: StaleDeps, { source, policy, period }: EvaluatedSource, now: Date) {
  const edges = policy.act === "edges";
  return changing({ db }, system, async (change) => {
    const { tx } = change;
    if (!await lockSource(tx, source.id)) return { found: 0, expired: 0 };
    const among = (ids: number[] | null) =>
      candidatesOf(tx, source.id, period.cutoff, { edges, max: chunkSize, among: ids });
    const found = await among(null);
    const locked = await lockStatuses(tx, found.map(({ id }) => id));
    // What was seen while its row was waited for is stale no longer.
    const still = new Set((await among(locked.map(({ id }) => id))).map(({ id }) => id));
    const expired = locked.filter(({ id }) => still.has(id));
    if (edges) await expireEdges(change, [...still]);
    else await applyStatus(change, expired, { status: "DELETED", switchAt: null }, now);
    await spendApproval(tx, source.id, expired.length);
    return { found: found.length, expired: expired.length };
  });
}

async function expireEdges(change: Change, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const states = await statesOf(change.tx, ids);
  change.moved(await endEdgesOf(change.tx, ids));
  await change.tx.query(endColumnEdges, [ids]);
  for (const state of states) {
    const entity = {
      ...state,
      entity_classes: state.entity_classes as EntityClass[],
      type: state.type as EntityType | null,
    };
    change.record({
      type: "DATA_ENTITY_RELATION_UPDATED",
      entityId: state.id,
      before: entity,
      after: entity,
    });
  }
}

/**
 * Sets entities to DELETED whose DRAFT or DEPRECATED period has ended (`status_switch_time <= now`),
 * as system events, at most `batch` of them. Returns how many were due.
 */
export async function switchDueStatuses(db: Database, now: Date, batch: number): Promise<number> {
  return await changing({ db }, system, async (change) => {
    const { tx } = change;
    const due = await tx.query(dueStatuses, [now.toISOString(), batch]);
    if (due.length === 0) return 0;
    const locked = await lockStatuses(tx, due.map(({ id }) => id));
    const still = locked.filter((e) =>
      isTemporary(e.status) && e.switch_time !== null && new Date(e.switch_time) <= now
    );
    await applyStatus(change, still, { status: "DELETED", switchAt: null }, now);
    return due.length;
  });
}

/** $1 now, $2 limit: entities whose DRAFT or DEPRECATED period has ended, the longest overdue first. */
const dueStatuses = statement<{ id: number }>("status-due")`
  SELECT id FROM data_entity
   WHERE status_switch_at <= $1 AND NOT hollow AND status IN (${entityStatuses.DRAFT}, ${entityStatuses.DEPRECATED})
   ORDER BY status_switch_at, id LIMIT $2`;
