import { bisectBatch } from "#kit/bisect.ts";
import { system } from "#contract/actor.ts";
import { changingWithin } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import type { ComposedEntity } from "./compose.ts";
import { expireEdges } from "./edges.queries.ts";
import { mapSubjects } from "./facts.ts";
import { type Subject, subjectKey } from "./names.ts";
import { type LeaderTerm, publisherMetrics } from "./deps.ts";
import { postEntities } from "./post.ts";
import { isPoison, quarantine, reportQuarantined } from "./quarantine.ts";
import { takeBackAll } from "./quarantine.queries.ts";
import * as store from "./store.queries.ts";

/** Changes and subjects that one round takes; what is more is left to the next, which follows at once. */
const limits = { changes: 50_000, due: 200, expired: 2_000, removals: 500 };

/** Subjects composed and posted together. */
const batchSize = 25;

/** Milliseconds after which an entity is posted again although nothing changed. */
const refreshMs = 24 * 60 * 60 * 1000;

/** Milliseconds after which datasets that the catalogue did not hold are looked for again. */
const guessMs = 10 * 60 * 1000;

/** Milliseconds for which a deletion waits for the last batch of its entity. */
const waitMs = 60 * 60 * 1000;

export interface Round {
  /** There was something to do. */
  worked: boolean;
  /** There is more to do at once. */
  more: boolean;
}

/**
 * One round of the publisher: expires edges, composes whatever they, new edges or the passing of a
 * day have touched, posts what differs from what was posted, and deletes what has no edge left. A
 * subject that cannot be composed or posted is set aside, and stops no other.
 */
export async function publishRound(leading: LeaderTerm): Promise<Round> {
  const { db, clock, config, metrics } = leading.deps;
  const now = clock.now();
  const dead = new Date(now - config["edge-ttl"]);
  const expired = await leading.transaction((tx) => expireEdges(tx, dead, limits.expired));
  if (expired > 0) publisherMetrics(metrics).expired.inc({}, expired);
  await reportQuarantined(leading.deps);
  const changes = await store.readChanges(db, limits.changes);
  const due = await store.dueSubjects(db, {
    posted: new Date(now - refreshMs),
    guessed: new Date(now - guessMs),
  }, limits.due);
  const tasks = tasksOf(changes, due);
  for (let at = 0; at < tasks.length && !leading.stopping.aborted; at += batchSize) {
    await bisectBatch(tasks.slice(at, at + batchSize), {
      work: (batch) => publishBatch(leading, batch),
      isPoison,
      refuse: (task, error) => quarantine(leading, task, error),
    });
  }
  const left = await publishRemovals(leading);
  const taken = changes.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    worked: expired + tasks.length + left > 0,
    more: expired === limits.expired || taken === limits.changes ||
      due.length >= limits.due || left === limits.removals,
  };
}

/** A subject, and the changes that are dealt with once it is posted. */
interface Task {
  subject: Subject;
  changes: number[];
}

function tasksOf(changes: store.Change[], due: Subject[]): Task[] {
  const tasks = new Map<string, Task>();
  for (const { ids, ...subject } of changes) {
    tasks.set(subjectKey(subject), { subject, changes: ids });
  }
  for (const subject of due) {
    const key = subjectKey(subject);
    if (!tasks.has(key)) tasks.set(key, { subject, changes: [] });
  }
  return [...tasks.values()];
}

/**
 * Before anything is posted its hash is forgotten, and it is set when the log has the batch: so
 * the next leader posts pending changes again, under a later time, and the catalogue keeps that.
 */
async function publishBatch(leading: LeaderTerm, tasks: Task[]): Promise<void> {
  const { deps } = leading;
  const count = publisherMetrics(deps.metrics);
  const subjects = tasks.map((task) => task.subject);
  const entities = await mapSubjects(deps, subjects);
  const stored = await store.storedEntities(deps.db, subjects);
  const { posts, gone } = compare(entities, stored, deps.clock.now());
  count.unchanged.inc({}, entities.length - posts.length);
  let receivedAt = 0;
  if (posts.length > 0) {
    await store.ensureSource(deps.db, deps.config["data-source"]);
    receivedAt = await leading.transaction(async (tx) => {
      const at = await store.drawReceivedAt(tx, deps.clock.now());
      await store.markPosting(tx, posts, at);
      return at;
    });
    await postEntities(deps, posts, receivedAt);
  }
  await leading.transaction(async (tx) => {
    const at = new Date(deps.clock.now());
    if (posts.length > 0) await store.markLive(tx, posts, { at, receivedAt });
    await store.markGuesses(tx, entities, at);
    if (gone.length > 0) await store.markForRemoval(tx, gone);
    await takeBackAll(tx, subjects);
    await store.deleteChanges(tx, tasks.flatMap((task) => task.changes));
  });
  count.posted.inc({}, posts.length);
  if (posts.length + gone.length > 0) {
    deps.log.info("services published", { posted: posts.length, gone: gone.length });
  }
}

/** What has to be posted, and which posted entities no longer are. */
function compare(entities: ComposedEntity[], stored: store.StoredEntity[], now: number) {
  const byCatrn = new Map(stored.map((row) => [row.catrn, row]));
  const composed = new Set(entities.map((entity) => entity.catrn));
  const posts = entities.filter(({ catrn, hash }) => {
    const row = byCatrn.get(catrn);
    if (row?.state !== "live" || row.hash !== hash || row.posted_at === null) return true;
    return now - row.posted_at.getTime() >= refreshMs;
  });
  const gone = stored.filter((row) => !composed.has(row.catrn) && row.state !== "leaving");
  return { posts, gone: gone.map((row) => row.catrn) };
}

/** Marks entities without edges DELETED, as if somebody had done so over the API; how many. */
async function publishRemovals(leading: LeaderTerm): Promise<number> {
  const { clock, config, metrics, log } = leading.deps;
  const now = clock.now();
  const removed = await leading.transaction(async (tx) => {
    const source = config["data-source"];
    const removals = await store.removalsOf(tx, source, now - waitMs, limits.removals);
    if (removals.length === 0) return 0;
    await store.forget(tx, removals.map((removal) => removal.catrn));
    const ids = removals.flatMap(({ id }) => (id === null ? [] : [id]));
    const locked = await lockStatuses(tx, ids);
    const deleted = { status: "DELETED" as const, switchAt: null };
    await changingWithin(
      tx,
      system,
      (change) => applyStatus(change, locked, deleted, new Date(now)),
    );
    return removals.length;
  });
  if (removed > 0) {
    publisherMetrics(metrics).deleted.inc({}, removed);
    log.info("services without edges deleted", { entities: removed });
  }
  return removed;
}
