import type { Degrees, EdgePair } from "#graph/port.ts";
import type { Membership } from "#services/api/features/lineage/grouping.ts";

/** A row of the nodes query; `json` lacks the counts and the closing brace. */
export interface NodeRow {
  id: number;
  is_group: boolean;
  /** The entity is known only by its CATRN, without a payload. */
  hollow: boolean;
  groups: number[] | null;
  json: string;
}

/** The visible entities of an answer, and the groups above them. */
export class Nodes implements Membership {
  readonly #rows: Map<number, NodeRow>;

  constructor(rows: NodeRow[]) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
  }
  visible = (id: number): boolean => this.#rows.has(id);
  isGroup = (id: number): boolean => this.#rows.get(id)?.is_group ?? false;
  /** Groups known only by their CATRN: without a name they are not drawn in place of their members. */
  hollowGroups = (): number[] =>
    [...this.#rows.values()].filter((row) => row.is_group && row.hollow).map((row) => row.id);
  groupsOf = (id: number): readonly number[] => this.#rows.get(id)?.groups ?? [];

  /** DataEntityLineageNode as JSON text; without `degrees` the counts are null. */
  text(id: number, degrees?: Degrees): string {
    const row = this.#rows.get(id);
    if (!row) throw new Error(`lineage node ${id} was not read`);
    const { parents, children } = degrees ?? { parents: "null", children: "null" };
    return `${row.json},"parents_count":${parents},"children_count":${children}}`;
  }
}

export interface StreamDeps {
  nodes: string[];
  edges: readonly EdgePair[];
  groups: string[];
  truncatedAt?: { id: number; remainingDepth: number }[];
}

export const emptyStream = streamText({ nodes: [], edges: [], groups: [] });

/** DataEntityLineageStream as JSON text. */
export function streamText({ nodes, edges, groups, truncatedAt }: StreamDeps): string {
  const pairs = edges.map(([source, target]) => `{"source_id":${source},"target_id":${target}}`);
  const cut = truncatedAt?.map((t) => `{"id":${t.id},"remaining_depth":${t.remainingDepth}}`);
  return `{"nodes":[${nodes.join(",")}],"edges":[${pairs.join(",")}],"groups":[${
    groups.join(",")
  }]${cut ? `,"truncated_at":[${cut.join(",")}]` : ""}}`;
}

/** A finished answer: JSON text, and headers that state how current and how complete it is. */
export interface LineageAnswer {
  json: string;
  headers: Record<string, string>;
}

/** Headers of a lineage answer; see `lineageHeaders`. */
export function headersOf(position: number, truncated?: "nodes" | "time"): Record<string, string> {
  return {
    "X-Lineage-Position": String(position),
    ...(truncated ? { "X-Lineage-Truncated": truncated } : {}),
  };
}
