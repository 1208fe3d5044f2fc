import type { LineageGraph, Walk } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { headersOf, type LineageQuestion, Nodes } from "#services/api/features/lineage/answer.ts";
import { gapsInto } from "#services/api/features/lineage/columns.queries.ts";
import { checkPastTime, pastHeaders, rootAsOf } from "#services/api/features/lineage/past.ts";
import { nodesAt, nodesOf, rootOf } from "#services/api/features/lineage/queries.ts";
import { staleDays } from "#services/api/stale.ts";

/** Two statements for one question: of now, and of a time, which is the last parameter. */
interface InTime<R> {
  now: Statement<R>;
  at: Statement<R>;
}

type WalkQuestion = Pick<LineageQuestion, "id" | "direction" | "depth">;
type Among = Awaited<ReturnType<LineageGraph["among"]>>;
type Truncation = "nodes" | "time";

/** Lineage of now, or as it was at an earlier time; names, types and groups are those of today. */
export interface Snapshot {
  /** Members with which an answer begins, as JSON text: empty, or `"as_of":"…",`. */
  readonly members: string;
  /** Refuses a time that the history does not cover; returns further headers of a response. */
  checkTime(): Promise<Record<string, string>>;
  /** As `checkTime`, and 404 for a root that was not there at that time. Whether it is there now is not checked. */
  checkRoot(kind: string, id: number): Promise<void>;
  /** 404 for a root of now that the rows which were read do not show; one of a past time was checked by then. */
  checkVisible(kind: string, id: number, visible: boolean): void;
  /** What SQL does not trace of a dataset, as JSON; undefined for a past time, of which it is not stored. */
  gaps(dataset: number): Promise<string | undefined>;
  /** A walk with the budgets of the configuration, and where it began: at the root, and at the members of a group. */
  walk(question: WalkQuestion): Promise<{ walk: Walk; roots: number[] }>;
  /** Edges with both ends among `members`. */
  among(members: number[], budget: { maxNodes: number; timeoutMs: number }): Promise<Among>;
  /** The visible ones of these entities, with the live groups above them. */
  nodes(ids: Set<number>): Promise<Nodes>;
  /** Rows of whichever statement is for this time. */
  read<R>(statements: InTime<R>, values: unknown[]): Promise<R[]>;
  headers(position: number, truncated?: Truncation): Record<string, string>;
}

/** What a snapshot needs; one that is only read from needs no graph. */
type ReadDeps = Pick<Context, "db" | "config" | "clock">;

/** Lineage as of `asOf` (ISO 8601, UTC, milliseconds), or of now. */
export function snapshotOf(context: Context, asOf?: string): Snapshot {
  const reader = readerOf(context, asOf);
  return {
    ...reader,
    nodes: async (ids) => new Nodes(await reader.read(nodesInTime, [[...ids], staleDays(context)])),
    ...(asOf === undefined ? present(context) : past(context, asOf)),
  };
}

/** The part of a snapshot that needs no graph. */
export function readerOf(
  deps: ReadDeps,
  asOf?: string,
): Pick<Snapshot, "checkTime" | "read" | "members"> {
  if (asOf === undefined) {
    return {
      members: "",
      checkTime: () => Promise.resolve({}),
      read: ({ now }, values) => deps.db.query(now, values),
    };
  }
  return {
    members: `"as_of":"${asOf}",`,
    checkTime: () => checkPastTime(deps, asOf),
    read: ({ at }, values) => deps.db.query(at, [...values, asOf]),
  };
}

const nodesInTime = { now: nodesOf, at: nodesAt };

type Walks = Omit<Snapshot, "members" | "checkTime" | "read" | "nodes">;

function present(context: Context): Walks {
  return {
    checkRoot: () => Promise.resolve(),
    checkVisible(kind, id, visible) {
      if (!visible) throw notFound(kind, id);
    },
    gaps: async (dataset) => (await context.db.query(gapsInto, [dataset]))[0]!.gaps ?? "",
    walk: (question) => walkFromRoot(context, question),
    among: (members, budget) => context.graph.among(members, budget),
    headers: headersOf,
  };
}

function past(context: Context, asOf: string): Walks {
  const { history, config } = context;
  const at = new Date(asOf);
  return {
    checkRoot: async (kind, id) => void (await rootAsOf(context, kind, id, asOf)),
    checkVisible: () => undefined,
    gaps: () => Promise.resolve(undefined),
    async walk({ id, direction, depth }) {
      const { "max-nodes": maxNodes, timeout: timeoutMs } = config.lineage;
      const { members } = await rootAsOf(context, "data entity", id, asOf);
      const roots = [...new Set([id, ...members])];
      return {
        walk: await history.walk({ roots, direction, depth, maxNodes, timeoutMs }, at),
        roots,
      };
    },
    among: (members, budget) => history.among(members, at, budget),
    headers: (position, truncated) => (
      { ...headersOf(position, truncated), ...pastHeaders(context, asOf) }
    ),
  };
}

/** The walk starts while the root is looked up; only a group as root needs a second walk. */
async function walkFromRoot(
  context: Context,
  { id, direction, depth }: WalkQuestion,
): Promise<{ walk: Walk; roots: number[] }> {
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const walkFrom = (roots: number[]) =>
    context.graph.walk({ roots, direction, depth, maxNodes, timeoutMs });
  const [rows, walk] = await Promise.all([
    context.db.query(rootOf, [id]),
    walkFrom([id]),
  ]);
  const root = rows[0];
  if (!root?.visible) throw notFound("data entity", id);
  if (root.members.length === 0) return { walk, roots: [id] };
  const roots = [...new Set([id, ...root.members])];
  return { walk: await walkFrom(roots), roots };
}
