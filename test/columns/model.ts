// What walks over columns depend on, and the walk as simply as it can be said, to compare the catalogue with.

/** Columns that every table has. */
export const names = ["a", "B", "ç"];

interface Edge {
  source: string;
  target: string;
  indirect: boolean;
}

/** What was declared, and what is deleted: the whole state that walks depend on. */
export interface Model {
  declared: Map<string, Edge[]>;
  deleted: Set<string>;
}

const tableOf = (place: string) => place.split(".")[0]!;
const isWhole = (place: string) => !place.includes(".");

function liveEdges({ declared, deleted }: Model): Edge[] {
  return [...declared].filter(([job]) => !deleted.has(job)).flatMap(([, edges]) => edges)
    .filter(({ source, target }) => !deleted.has(tableOf(source)) && !deleted.has(tableOf(target)));
}

export interface LineageQuery {
  root: string;
  columns: string[];
  downstream: boolean;
  depth: number;
  indirect: boolean;
  through: boolean;
}

/** The places at which the edges of a followed node are looked for. */
function columnsOf(node: string, isRoot: boolean, query: LineageQuery, all: Set<string>): string[] {
  const { downstream, indirect, through } = query;
  if (isWhole(node)) {
    const inside = through ? [...all].filter((n) => !isWhole(n) && tableOf(n) === node) : [];
    return [...(isRoot || through || !downstream ? [node] : []), ...inside];
  }
  return [node, ...(through || (indirect && !downstream) ? [tableOf(node)] : [])];
}

/** The walk, as simply as it can be said. */
export function walked(model: Model, query: LineageQuery): string[] {
  const edges = liveEdges(model).filter((e) => query.indirect || !e.indirect);
  const all = new Set(liveEdges(model).flatMap((e) => [e.source, e.target]));
  const roots = query.columns.length > 0 ? query.columns : [
    query.root,
    ...names.map((name) => `${query.root}.${name.toLowerCase()}`),
  ];
  const seen = new Set(roots);
  const found = new Set<string>();
  let level = roots;
  for (let depth = 0; depth < query.depth; depth++) {
    const near = new Set(level.flatMap((n) => columnsOf(n, depth === 0, query, all)));
    const next: string[] = [];
    for (const e of edges) {
      const [from, to] = query.downstream ? [e.source, e.target] : [e.target, e.source];
      if (!near.has(from)) continue;
      found.add(`${e.source} ${e.indirect ? "~>" : ">"} ${e.target}`);
      if (!seen.has(to)) next.push(to);
      seen.add(to);
    }
    level = next;
  }
  return [...found].sort();
}
