import type { Clock } from "#kit/clock.ts";
import type { Worker } from "#kit/worker.ts";
import { type PreparedPosts, publishRows } from "#platform/composed-source/batches.ts";
import { ComposedPublisher, type RoundOutcome } from "#platform/composed-source/worker.ts";
import type { Context } from "#platform/context.ts";
import type { ComposedEntity } from "./compose.ts";
import { type PublisherContext, type PublisherDeps, publisherDeps } from "./deps.ts";
import { mapSubjects } from "./facts.ts";
import { quarantine, reportQuarantined, takeBackAll } from "./quarantine.ts";
import { writeStatistics } from "./statistics.ts";
import * as store from "./store.queries.ts";
import { expireEdges, type Subject, subjectKey } from "./subjects.ts";

/** The lease of the one process that posts services. */
export const publisherLease = "trace-publisher";

/** Milliseconds that the lease lasts; each transaction renews it. */
export const leaseMs = 15_000;

/** Maximum number of milliseconds between two looks at the lease and at what is to be done. */
const maxPollMs = 5_000;

/** The worker that puts services into the catalogue. */
export function publisherWorker(context: Context): Worker {
  const log = context.log.with({ worker: "service publisher" });
  return new ServicePublisher({ ...context, log, config: context.config.traces });
}

/**
 * Makes catalogue entities of `service_edge`: one process leads, by lease, others stand by. What
 * changed is posted at once, but no more often than every `traces.publish-interval`.
 */
export class ServicePublisher extends ComposedPublisher<PublisherDeps> {
  constructor(context: PublisherContext) {
    const deps = publisherDeps(context);
    const { db, config, clock } = deps;
    const { leases, wakeups } = context;
    const interval = config["publish-interval"];
    super({
      name: "service publisher",
      spans: "traces",
      deps,
      leadership: { name: publisherLease, ttlMs: leaseMs, leases },
      pollMs: Math.min(maxPollMs, interval),
      listen: (wake) => wakeups.on("service_edge", wake),
      prepare: () => store.ensureSource(db, config["data-source"]),
      publishAll,
      sweep: onceAMinute(clock, () => writeStatistics(deps)),
      sweepMs: 0,
      // However much is to be done: no sooner.
      pauseAfter: (_, { full }) => full ? 0 : interval,
    });
  }
}

/** Does work when a minute has begun since it was done last. */
function onceAMinute(clock: Pick<Clock, "now">, work: () => Promise<void>): () => Promise<void> {
  let last = 0;
  return async () => {
    const minute = Math.floor(clock.now() / 60_000);
    if (minute === last) return;
    await work();
    last = minute;
  };
}

/** Changes and subjects that one round takes; what is more is left to the next, which follows at once. */
const roundLimits = { changes: 50_000, due: 200, expired: 2_000 };

/** Subjects composed and posted together. */
const batchSize = 25;

/** Milliseconds after which an entity is posted again although nothing changed. */
const refreshMs = 24 * 60 * 60 * 1000;

/** Milliseconds after which datasets that the catalogue did not hold are looked for again. */
const guessMs = 10 * 60 * 1000;

/**
 * One round of the publisher: expires edges, composes whatever they, new edges or the passing of a
 * day have touched, and posts what differs from what was posted. A subject that cannot be composed
 * or posted is set aside, and stops no other.
 */
export async function publishAll(deps: PublisherDeps, signal: AbortSignal): Promise<RoundOutcome> {
  const { db, clock, config, metrics } = deps;
  const now = clock.now();
  const dead = new Date(now - config["edge-ttl"]);
  const expired = await db.transaction((tx) => expireEdges(tx, dead, roundLimits.expired));
  if (expired > 0) metrics.expired.inc({}, expired);
  await reportQuarantined(deps);
  const changes = await store.readChanges(db, roundLimits.changes);
  const due = await store.dueSubjects(db, {
    posted: new Date(now - refreshMs),
    guessed: new Date(now - guessMs),
  }, roundLimits.due);
  const tasks = tasksOf(changes, due);
  for (let at = 0; at < tasks.length && !signal.aborted; at += batchSize) {
    await publishRows(deps, tasks.slice(at, at + batchSize), {
      prepare: (some) => prepare(deps, some),
      finish: (some, prepared) => finish(deps, some, prepared),
      refuse: (task, error) => quarantine(deps, task, error),
    });
  }
  const taken = changes.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    taken: expired + tasks.length,
    full: expired === roundLimits.expired || taken === roundLimits.changes ||
      due.length >= roundLimits.due,
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

interface PreparedSubjects extends PreparedPosts {
  entities: ComposedEntity[];
  changed: ComposedEntity[];
  /** CATRNs of posted entities that no longer exist. */
  gone: string[];
}

/**
 * Before anything is posted its hash is forgotten, and it is set when the log has the batch: so
 * the next leader posts pending changes again, under a later time, and the catalogue keeps that.
 */
async function prepare(deps: PublisherDeps, tasks: Task[]): Promise<PreparedSubjects> {
  const { db, clock, config, metrics } = deps;
  const subjects = tasks.map((task) => task.subject);
  const entities = await mapSubjects(deps, subjects);
  const stored = await store.storedEntities(db, subjects);
  const { changed, gone } = differences(entities, stored, clock.now());
  metrics.unchanged.inc({}, entities.length - changed.length);
  if (changed.length === 0) return { entities, changed, gone, posts: [], receivedAt: 0 };
  const source = config["data-source"];
  await store.ensureSource(db, source);
  const receivedAt = await db.transaction(async (tx) => {
    const at = await store.drawReceivedAt(tx, clock.now());
    await store.markPosting(tx, changed, at);
    return at;
  });
  const posts = [{ source, items: changed, seenAt: receivedAt }];
  return { entities, changed, gone, posts, receivedAt };
}

async function finish(
  { db, clock, log, metrics }: PublisherDeps,
  tasks: Task[],
  { entities, changed, gone, receivedAt }: PreparedSubjects,
): Promise<void> {
  await db.transaction(async (tx) => {
    const at = new Date(clock.now());
    if (changed.length > 0) await store.markLive(tx, changed, { at, receivedAt });
    await store.markGuesses(tx, entities, at);
    if (gone.length > 0) await store.markForRemoval(tx, gone);
    await takeBackAll(tx, tasks.map((task) => task.subject));
    await store.deleteChanges(tx, tasks.flatMap((task) => task.changes));
  });
  metrics.posted.inc({}, changed.length);
  if (changed.length + gone.length > 0) {
    log.info("services published", { posted: changed.length, gone: gone.length });
  }
}

/** What has to be posted, and which posted entities no longer are. */
function differences(entities: ComposedEntity[], stored: store.StoredEntity[], now: number) {
  const byCatrn = new Map(stored.map((row) => [row.catrn, row]));
  const composed = new Set(entities.map((entity) => entity.catrn));
  const changed = entities.filter(({ catrn, hash }) => {
    const row = byCatrn.get(catrn);
    if (row?.state !== "live" || row.hash !== hash || row.posted_at === null) return true;
    return now - row.posted_at.getTime() >= refreshMs;
  });
  const gone = stored.filter((row) => !composed.has(row.catrn) && row.state !== "leaving");
  return { changed, gone: gone.map((row) => row.catrn) };
}
