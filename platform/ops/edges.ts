import { type EdgePair, isProjected, type ProjectedGraph } from "#graph/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";

const headOf = plannedEachTime<{ head: number }>("ops-lineage-head")`SELECT lineage_head() AS head`;

/** Last committed position of the outbox. */
export async function readHead(db: Database): Promise<number> {
  const [row] = await db.query(headOf);
  return row!.head;
}

type IdColumns = { parents: number[] | null; children: number[] | null };

const edgesAfter = plannedEachTime<IdColumns>("ops-edges-after")`
  SELECT parents, children FROM lineage_after($1, $2, $3)`;

/** All distinct live edges, in batches of at most `size`, ordered by (parent, child). */
export async function* liveEdges(db: Database, size: number): AsyncGenerator<EdgePair[]> {
  let last: EdgePair = [0, 0];
  for (;;) {
    const [row] = await db.query(edgesAfter, [...last, size]);
    const edges = pairs(row!.parents, row!.children);
    if (edges.length === 0) return;
    yield edges;
    if (edges.length < size) return;
    last = edges.at(-1)!;
  }
}

const edgesAmong = plannedEachTime<{ parent: number; child: number }>("ops-edges-among")`
  SELECT DISTINCT near AS parent, far AS child FROM lineage_touching($1, true)
   WHERE far = ANY ($1)`;

/** Distinct live edges with both ends among `ids`. */
async function liveAmong(db: Database, ids: number[]): Promise<EdgePair[]> {
  const rows = await db.query(edgesAmong, [ids]);
  return rows.map(({ parent, child }) => [parent, child]);
}

/** Two columns of ids as pairs. */
export function pairs(parents: number[] | null, children: number[] | null): EdgePair[] {
  return (parents ?? []).map((parent, i) => [parent, children![i]!]);
}

export interface VerifyOptions {
  /** Milliseconds to wait for a graph that lags behind; default 30,000. */
  maxWaitMs?: number;
  /** Edges compared so far. */
  progress?: (edges: number) => void;
  /** Ends it with the reason of the signal. */
  signal?: AbortSignal;
}

export interface VerifyReport {
  projection: "projected";
  /** Number of live edges in the metadata. */
  compared: number;
  /** Edges that the graph lacks, and edges that it should not have. */
  missing: EdgePair[];
  extra: EdgePair[];
  /** Whether there are more differences than listed. */
  more: boolean;
  /** The position of the graph, and that of the metadata. */
  position: number;
  head: number;
}

type VerifyResult = { projection: "inline" } | VerifyReport;

/** Edges per batch. */
const batchSize = 10_000;

/** Maximum number of differences that are stored and checked again. */
const maxDifferences = 1_000;

/**
 * Compares the projected graph with the live edges of the metadata, reading both as ordered streams.
 * Both may change meanwhile, so differences are checked again once the graph has caught up, until
 * they vanish or nothing changed between two checks.
 */
export async function verify(
  { db, graph, clock }: Pick<Context, "db" | "graph" | "clock">,
  options: VerifyOptions = {},
): Promise<VerifyResult> {
  if (!isProjected(graph)) return { projection: "inline" };
  const first = await compare(liveEdges(db, batchSize), graph.scan(batchSize), options);
  const settled = await settle({ db, graph, clock, signal: options.signal }, first, options);
  return { projection: "projected", compared: first.compared, more: first.more, ...settled };
}

/** Whether a report shows no difference. */
export function isEqual(report: VerifyReport): boolean {
  return report.missing.length + report.extra.length === 0 && !report.more &&
    report.position >= report.head;
}

interface Differences {
  missing: EdgePair[];
  extra: EdgePair[];
}

/** Compares two ordered streams by merging them. */
async function compare(
  expected: AsyncIterable<EdgePair[]>,
  found: AsyncIterable<EdgePair[]>,
  { progress, signal }: VerifyOptions,
): Promise<Differences & { compared: number; more: boolean }> {
  const result = { missing: [] as EdgePair[], extra: [] as EdgePair[], compared: 0, more: false };
  const [left, right] = [flatten(expected), flatten(found)];
  let [wanted, projected] = await Promise.all([left.next(), right.next()]);
  while (!wanted.done || !projected.done) {
    signal?.throwIfAborted();
    const order = wanted.done ? 1 : projected.done ? -1 : byEnds(wanted.value, projected.value);
    if (order < 0) noteDifference(result, "missing", wanted.value!);
    if (order > 0) noteDifference(result, "extra", projected.value!);
    if (order <= 0) {
      if (++result.compared % batchSize === 0) progress?.(result.compared);
      wanted = await left.next();
    }
    if (order >= 0) projected = await right.next();
  }
  progress?.(result.compared);
  return result;
}

function noteDifference(
  result: Differences & { more: boolean },
  kind: keyof Differences,
  edge: EdgePair,
) {
  if (result[kind].length < maxDifferences) result[kind].push(edge);
  else result.more = true;
}

async function* flatten(batches: AsyncIterable<EdgePair[]>): AsyncGenerator<EdgePair> {
  for await (const batch of batches) yield* batch;
}

function byEnds(a: EdgePair, b: EdgePair): number {
  return a[0] - b[0] || a[1] - b[1];
}

interface VerifyDeps {
  db: Database;
  graph: ProjectedGraph;
  clock: Clock;
  signal?: AbortSignal;
}

async function settle(
  deps: VerifyDeps,
  first: Differences,
  { maxWaitMs = 30_000 }: VerifyOptions,
) {
  const deadline = deps.clock.now() + maxWaitMs;
  let { missing, extra } = first;
  let head = await readHead(deps.db);
  for (;;) {
    const position = await caughtUp(deps, head, deadline);
    if (missing.length + extra.length === 0 || position < head) {
      return { missing, extra, position, head };
    }
    ({ missing, extra } = await recheck(deps, [...missing, ...extra]));
    const after = await readHead(deps.db);
    const still = after === head;
    if (still || deps.clock.now() > deadline) return { missing, extra, position, head };
    head = after;
  }
}

/** The graph's position once it has reached `head`, or at the deadline. */
async function caughtUp(
  { graph, clock, signal }: VerifyDeps,
  head: number,
  deadline: number,
): Promise<number> {
  for (;;) {
    signal?.throwIfAborted();
    const position = await graph.position(5_000);
    if (position >= head || clock.now() > deadline) return position;
    await clock.sleep(100);
  }
}

async function recheck({ db, graph }: VerifyDeps, edges: EdgePair[]): Promise<Differences> {
  const ends = [...new Set(edges.flat())];
  const [wanted, projected] = await Promise.all([
    liveAmong(db, ends),
    graph.among(ends, { maxNodes: ends.length, timeoutMs: 30_000 }),
  ]);
  const [want, have] = [edgeKeys(wanted), edgeKeys(projected.edges)];
  return {
    missing: edges.filter((e) => want.has(edgeKey(e)) && !have.has(edgeKey(e))),
    extra: edges.filter((e) => have.has(edgeKey(e)) && !want.has(edgeKey(e))),
  };
}

const edgeKey = ([parent, child]: EdgePair) => `${parent}>${child}`;
const edgeKeys = (edges: EdgePair[]) => new Set(edges.map(edgeKey));
