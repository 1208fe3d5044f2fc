import type { PlainKey } from "#web/messages/text.ts";

export interface LineageNode {
  id: number;
  /** The name that people gave it, else the name of the source, else its CATRN. */
  name: string;
  /** Names of its classes, such as `DATA_SET`. */
  classes: string[];
  /** Name of its type, such as `TABLE`; null while nothing is known of it but its name. */
  type: string | null;
  status: string;
  hasAlerts: boolean;
  /** Nothing was ingested of it: only others name it. */
  hollow: boolean;
  stale: boolean;
  /** Direct neighbours in the catalogue, whether loaded or not. */
  parents: number;
  children: number;
  source: { id: number; name: string } | null;
  /** As its resource name begins, such as `postgresql`; null where that is not known. */
  technology: string | null;
  groups: number[];
}

/** Data flows from `source` to `target`, both ids of entities. */
export interface LineageEdge {
  source: number;
  target: number;
}

/** All that was loaded so far: the answers of the API as maps. Like all of `graph/` it knows nothing of React. */
export interface Model {
  roots: number[];
  nodes: Map<number, LineageNode>;
  edges: LineageEdge[];
  /** Groups of entities by id, with the name to show. */
  groups: Map<number, LineageGroup>;
  /** Nodes at which a budget of the server ended the walk. */
  truncatedAt: Set<number>;
  /** What is known of the neighbours of nodes, as bits of `reach`; a node without an entry has 0. */
  reached?: Map<number, number>;
  /** What became of it between two times, where two times are compared. */
  changes?: Changes;
}

/** Since the earlier time; whatever did not change is `same`. */
export type NodeChange = "came" | "left" | "same";

/** `reached` and `unreached` edges stood at both times: something before them changed. */
export type EdgeChange = "added" | "removed" | "reached" | "unreached" | "same";

/** What became of a line, where something did. */
export interface LineChange {
  change: Exclude<EdgeChange, "same">;
  /** In addition to the colour, so that colour is not the only sign. */
  sign: string;
  /** The same in words. */
  words: PlainKey;
}

/** What became of a model; only a comparison loads its texts (`further-answers.ts`). */
export interface Changes {
  ofNode(id: number): NodeChange | undefined;
  ofEdge(edge: LineageEdge): EdgeChange | undefined;
  /** What became of all members alike; undefined where nothing did, or not the same of all. */
  ofBox(members: readonly number[]): ViewNode["change"];
  /** What became of lines between boxes, by `from>to`, where it is the same of all edges of a line. */
  ofLines(
    edges: readonly LineageEdge[],
    boxes: readonly { key: string; members: readonly number[] }[],
  ): ReadonlyMap<string, LineChange>;
  /** With what another answer tells; where they differ, it was there at both times. */
  joined(other: Changes): Changes;
}

/** A group of entities; `nodes` has it too while the server draws it in place of its members. */
export interface LineageGroup {
  id: number;
  name: string;
  /** Groups that it is directly in itself. */
  groups?: number[];
  /** Only others name it, so that it has no name to stand for its members. */
  hollow?: boolean;
}

/** Bits of `Model.reached`: whether a walk brought all parents or children, or was ended there by a budget. */
export const reach = { allParents: 1, allChildren: 2, parentsCut: 4, childrenCut: 8 } as const;

/** Why several entities are drawn as one: somebody collapsed their group, or the drawing is a map of frames. */
export type FoldReason = "group" | "frame";

/** How many neighbors on each side are loaded and not drawn. */
export interface Paged {
  parents: number;
  children: number;
}

export interface ViewNode {
  /** Stable over layouts: `e12`, or `f` and what the fold is of. */
  key: string;
  kind: "entity" | "fold";
  /** Entities that it stands for; one unless folded. */
  members: number[];
  /** Text of the box: a name, or how many of what. */
  label: string;
  /** Second line: type and source. */
  detail: string;
  reason?: FoldReason;
  /** Groups whose frames are around it, from the outside inwards. */
  frames?: number[];
  /** Direct neighbours that are not drawn. */
  hiddenParents: number;
  hiddenChildren: number;
  /** Those of them that are loaded; absent where there are none. */
  paged?: Paged;
  /** One line of text instead of a card: a row in a drawing of many boxes, or the tile of a job. */
  form?: "row" | "tile";
  /** Of all its members alike. */
  change?: Exclude<NodeChange, "same">;
}

export interface ViewEdge {
  key: string;
  /** Keys of nodes. */
  from: string;
  to: string;
  /** Transformers drawn as this line instead of a box. */
  jobs: number[];
  label: string;
  /** How many lines it bundles, where that is more than one. */
  weight?: number;
  /** Of all edges alike that it stands for. */
  since?: LineChange;
}

/** What is shown of a model after folding. */
export interface View {
  nodes: ViewNode[];
  edges: ViewEdge[];
}

/** So many frames are drawn within each other. */
export const frameDepth = 3;

/** The space that a frame needs around its content; nested frames need the same again. */
export const frameSpace = { top: 26, bottom: 10, side: 10 } as const;

/** Free space of a layout, in pixels at zoom 1. */
export const gaps = {
  /** Between columns: room for lines to bend. */
  column: 80,
  /** Between boxes of a column. */
  row: 20,
  /** Around a line that passes a column. */
  line: 8,
  /** Between parts that no line connects. */
  component: 48,
  /** How far the loop of a box that feeds itself stands out; less than `row`. */
  loop: 12,
} as const;

/** Sizes and connections of boxes by index: all that a layout needs, and cheap to send to a worker. */
export interface LayoutInput {
  /** Width and height of each box, in pixels at zoom 1. */
  widths: Float32Array;
  heights: Float32Array;
  /** How far below the top of each box its lines end, and neighbours are lined up; its middle by default. */
  ports?: Float32Array;
  /** Free space above and below each box in its column; of two neighbors the wider one counts, `gaps.row` by default. */
  spaces?: Float32Array;
  /** Frames around each box from the outside inwards: `frameDepth` numbers a box, 0 where there is none. */
  frames?: Uint32Array;
  /** Pairs of indices: from, to, from, to … */
  edges: Uint32Array;
  /** Rank of each box in the last layout (its vertical order), NaN for new ones; keeps the order of what was there. */
  before?: Float32Array;
}

/** Where boxes lie (upper left corner) and how lines run; lengths in pixels at zoom 1. */
export interface Layout {
  x: Float32Array;
  y: Float32Array;
  /** Column of each box. */
  layers: Uint32Array;
  /** Points of all lines after each other: x, y, x, y … */
  points: Float32Array;
  /** Line i has the points `offsets[i]` to `offsets[i + 1]` (counted in points, not in numbers). */
  offsets: Uint32Array;
  /** 1 for a line that closes a cycle: it runs backwards. */
  reversed: Uint8Array;
  width: number;
  height: number;
}
