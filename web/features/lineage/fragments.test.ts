import { describe, expect, it } from "vitest";
import { type ApiLineage, type ApiNode, fromLineage } from "#web/graph/answers.ts";
import { hiddenNeighbours } from "#web/graph/view.ts";
import { closed } from "#web/graph/forget.ts";
import { modelOf, withCounts } from "#web/features/lineage/fragments.ts";

const node = (id: number, counts: Partial<ApiNode> = {}): ApiNode => ({
  id,
  catrn: `//t/${id}`,
  external_name: `t${id}`,
  entity_classes: [{ name: "DATA_SET" }],
  type: { name: "TABLE" },
  has_alerts: false,
  status: { status: "UNASSIGNED" },
  is_stale: false,
  ...counts,
});

/** The root 1 with children 2 to `children` + 1. */
function star(children: number): ApiLineage {
  const ids = Array.from({ length: children }, (_, at) => at + 2);
  return {
    root: node(1),
    downstream: {
      nodes: [
        node(1, { parents_count: 0, children_count: children }),
        ...ids.map((id) => node(id)),
      ],
      edges: ids.reverse().map((id) => ({ source_id: 1, target_id: id })),
      groups: [],
    },
  };
}
const piece = (lineage: ApiLineage) => ({
  loaded: withCounts(fromLineage(lineage), 1),
  position: 1,
  truncated: null,
});

describe("a model", () => {
  it("has the counts of its root, so that a side that is put away can come back", () => {
    const close = { step: { kind: "close", id: 1, side: "downstream" } as const, piece: undefined };
    const model = modelOf([piece(star(3))], [close], closed);
    expect([...model.nodes.keys()]).toEqual([1]);
    expect(hiddenNeighbours(model)(1)).toEqual({ parents: 0, children: 3 });
    const open = {
      step: { kind: "open", id: 1, side: "downstream", depth: 1 } as const,
      piece: piece(star(3)),
    };
    expect(modelOf([piece(star(3))], [close, open], closed).nodes.size).toBe(4);
  });

  it("leaves out what is still being read", () => {
    expect(modelOf([undefined], []).nodes.size).toBe(0);
  });
});
