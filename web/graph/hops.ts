import type { ApiLineage, ApiNode, ApiStream, Side } from "#web/graph/answers.ts";

/** Types of entities that only carry data from one asset to another. */
const jobTypes = new Set(["JOB", "JOB_RUN", "ML_MODEL_TRAINING", "API_CALL"]);

/** Whether an entity of this type is a job, a run or an API call: on a way between two assets it costs no hop. */
export function isJobType(type: string | null | undefined): boolean {
  return jobTypes.has(type ?? "");
}

interface WithinHops {
  lineage: ApiLineage;
  /** Entities that lost neighbours on the side of the walk. */
  cut: Set<number>;
  /** Whether the walk ended at an entity that lies near enough to go on from. */
  isShort: boolean;
}

/**
 * What lies within `hops` of the root on one side of an answer. A hop leads to an asset, however many jobs are on the
 * way; jobs that only lead further away are left out with the assets behind them. At least 1 hop.
 */
export function withinHops(lineage: ApiLineage, of: Side, hops: number): WithinHops {
  const stream = lineage[of];
  if (!stream) return { lineage, cut: new Set(), isShort: false };
  const nodes = new Map([lineage.root, ...stream.nodes].map((node) => [node.id, node]));
  const [near, far] = of === "upstream"
    ? ["target_id", "source_id"] as const
    : ["source_id", "target_id"] as const;
  const next = Map.groupBy(stream.edges, (edge) => edge[near]);
  const neighbours = (id: number) => next.get(id)?.map((edge) => edge[far]) ?? [];
  const distances = distancesFrom(startsOf(lineage.root.id, stream), nodes, neighbours, hops);
  const cut = new Set<number>();
  const edges = stream.edges.filter((edge) => {
    const isWithin = distances.has(edge[near]) && distances.has(edge[far]);
    if (!isWithin && distances.has(edge[near])) cut.add(edge[near]);
    return isWithin;
  });
  const isNear = ({ id }: ApiNode) => distances.has(id);
  const count = (node: ApiNode) => (of === "upstream" ? node.parents_count : node.children_count);
  const isShort = [...distances].some(([id, distance]) => {
    if (distance >= hops || next.has(id)) return false;
    const node = nodes.get(id)!;
    return id !== lineage.root.id && (count(node) ?? 0) > 0;
  });
  return {
    lineage: { ...lineage, [of]: { ...stream, nodes: stream.nodes.filter(isNear), edges } },
    cut,
    isShort,
  };
}

/** Where the service began: the root and, of a group, everything in it. */
function startsOf(root: number, { nodes, groups }: ApiStream): number[] {
  const inside = new Set([root]);
  const directly = new Map(groups.map(({ id, group_id_list: in_ }) => [id, in_ ?? []]));
  for (let size = 0; size !== inside.size;) {
    size = inside.size;
    for (const [id, in_] of directly) if (in_.some((group) => inside.has(group))) inside.add(id);
  }
  const members = nodes.filter(({ group_id_list: in_ }) => in_?.some((id) => inside.has(id)));
  return [root, ...members.map(({ id }) => id)];
}

/** Hops of everything within `hops`: a job is as far as what leads to it, an asset one hop further. */
function distancesFrom(
  starts: number[],
  nodes: ReadonlyMap<number, ApiNode>,
  neighbours: (id: number) => number[],
  hops: number,
): Map<number, number> {
  const distances = new Map<number, number>();
  let level = new Set(starts);
  for (let distance = 0; level.size > 0; distance++) {
    const further = new Set<number>();
    for (const id of level) {
      if (distances.has(id)) continue;
      distances.set(id, distance);
      if (distance === hops) continue;
      for (const to of neighbours(id)) {
        if (!nodes.has(to)) continue;
        if (isJobType(nodes.get(to)!.type?.name)) level.add(to);
        else further.add(to);
      }
    }
    level = further;
  }
  return distances;
}
