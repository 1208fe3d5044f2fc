import { expect } from "vitest";
import type { Answer } from "#test/support/http/api.ts";
import type { LineageCase } from "#test/support/seed/lineage-cases.ts";

/** Where a case is asked; names become ids. */
export function lineageUrl(lineageCase: LineageCase, ids: Map<string, number>): string {
  const query = new URLSearchParams({ lineage_depth: String(lineageCase.depth) });
  for (const name of lineageCase.expanded) {
    query.append("expanded_entity_ids", String(ids.get(name)));
  }
  return `/api/dataentities/${ids.get(lineageCase.root)}/lineage/${lineageCase.direction}?${query}`;
}

interface Node {
  id: number;
  parents_count: number | null;
  children_count: number | null;
  group_id_list: number[] | null;
}

/** Holds an HTTP answer to what the case expects of it. */
export function expectLineageAnswer(
  answer: Answer,
  lineageCase: LineageCase,
  ids: Map<string, number>,
): void {
  if (lineageCase.answer === 404) {
    expect([answer.status, answer.json.code]).toEqual([404, "USR002"]);
    return;
  }
  expect(answer.status).toBe(200);
  const expected = lineageCase.answer;
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const named = (list: { id: number }[]) => list.map((n) => names.get(n.id)).sort();
  const { upstream, downstream, root } = answer.json;
  const [stream, other] = lineageCase.direction === "upstream"
    ? [upstream, downstream]
    : [downstream, upstream];
  expect(names.get(root.id)).toBe(lineageCase.root);
  expect(other).toEqual({ nodes: [], edges: [], groups: [] });
  expect(named(stream.nodes)).toEqual([...expected.nodes].sort());
  const arrows = stream.edges.map((e: { source_id: number; target_id: number }) =>
    `${names.get(e.source_id)} -> ${names.get(e.target_id)}`
  );
  expect(arrows.sort()).toEqual(expected.edges.map((e) => `${e.parent} -> ${e.child}`).sort());
  expect(named(stream.groups)).toEqual([...expected.groups].sort());
  const nodes = new Map<string, Node>(
    stream.nodes.map((n: Node) => [names.get(n.id), n]),
  );
  for (const [name, counts] of Object.entries(expected.counts)) {
    const node = nodes.get(name);
    expect([name, node?.parents_count, node?.children_count])
      .toEqual([name, ...(counts ?? [null, null])]);
  }
  for (const [name, groups] of Object.entries(expected.in)) {
    const list = (nodes.get(name)?.group_id_list ?? []).map((id) => names.get(id)).sort();
    expect([name, list]).toEqual([name, [...groups].sort()]);
  }
  expect(answer.headers.get("x-lineage-truncated")).toBe(expected.truncated?.reason ?? null);
  if (expected.truncated) {
    const at = stream.truncated_at.map((t: { id: number; remaining_depth: number }) => [
      names.get(t.id),
      t.remaining_depth,
    ]);
    expect(Object.fromEntries(at)).toEqual(expected.truncated.at);
  } else expect(stream.truncated_at).toBeUndefined();
}
