/** The parts of a lineage stream that drawing needs. */
export interface DrawnStream {
  nodes: { id: number; external_name?: string | null; catrn: string }[];
  edges: { source_id: number; target_id: number }[];
  groups: { id: number }[];
}

export interface DrawOptions {
  root: number;
  direction: "upstream" | "downstream";
  /** Most lines; beyond them the drawing only says how many it omits. */
  maxLines: number;
}

/** A lineage stream as an indented tree; an entity that was drawn before is named, but not expanded again. */
export function drawTree(stream: DrawnStream, options: DrawOptions): string[] {
  const names = new Map(stream.nodes.map((n) => [n.id, n.external_name ?? n.catrn]));
  const next = new Map<number, number[]>();
  for (const { source_id, target_id } of stream.edges) {
    const [from, to] = options.direction === "downstream"
      ? [source_id, target_id]
      : [target_id, source_id];
    next.set(from, [...next.get(from) ?? [], to]);
  }
  const nameOf = (id: number) => names.get(id) ?? `#${id}`;
  const lines: string[] = [];
  const seen = new Set<number>();
  const visit = (id: number, indent: string, branch: string) => {
    const isRepeated = seen.has(id) && next.has(id);
    lines.push(`${indent}${branch}${nameOf(id)}${isRepeated ? " …" : ""}`);
    if (seen.has(id)) return;
    seen.add(id);
    const below = (next.get(id) ?? []).sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
    const deeper = branch === "" ? "" : indent + (branch === "└─ " ? "   " : "│  ");
    below.forEach((child, at) => visit(child, deeper, at === below.length - 1 ? "└─ " : "├─ "));
  };
  visit(options.root, "", "");
  if (lines.length <= options.maxLines) return lines;
  return [...lines.slice(0, options.maxLines), `(+${lines.length - options.maxLines} more lines)`];
}
