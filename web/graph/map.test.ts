import "#web/messages/testing/english.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapOf } from "#web/graph/folds.ts";
import type { Model } from "#web/graph/model.ts";
import { anyModel, modelOf, node } from "#web/graph/testing/models.ts";
import { draftOf } from "#web/graph/draft.ts";
import { viewOf } from "#web/graph/view.ts";

const mapped = (model: Model, opened: string[] = []) =>
  viewOf(model, { asMap: (model, draft) => mapOf(model, draft, new Set(opened)) });

/** The root 1 that is made from 300 tables of one group, and feeds 200 of another and 100 of a source. */
function wide(): Model {
  const [raw, marts, rest] = [300, 200, 100].map((count, part) =>
    Array.from({ length: count }, (_, at) =>
      node(1_000 * (part + 1) + at, {
        groups: part < 2 ? [part + 7] : [],
        source: { id: part + 1, name: `s${part + 1}` },
      }))
  );
  const model = modelOf([node(1), ...raw!, ...marts!, ...rest!], [
    ...raw!.map(({ id }): [number, number] => [id, 1]),
    ...[...marts!, ...rest!].map(({ id }): [number, number] => [1, id]),
  ]);
  model.groups.set(7, { id: 7, name: "raw" });
  model.groups.set(8, { id: 8, name: "marts" });
  return model;
}

describe("a map", () => {
  it("has the root and a frame for each group, else each source, with bundled lines that count", () => {
    const view = mapped(wide());
    expect(view.nodes.map(({ key, label, detail }) => [key, label, detail])).toEqual([
      ["e1", "n1", "Table · shop"],
      ["fmg7-u", "raw", "300 tables"],
      ["fmg8-d", "marts", "200 tables"],
      ["fms3-d", "s3", "100 tables"],
    ]);
    expect(view.edges.map(({ from, to, label, weight }) => [from, to, label, weight])).toEqual([
      ["fmg7-u", "e1", "300", 300],
      ["e1", "fmg8-d", "200", 200],
      ["e1", "fms3-d", "100", 100],
    ]);
  });

  it("opens one frame and keeps the others", () => {
    const view = mapped(wide(), ["fms3-d"]);
    expect(view.nodes).toHaveLength(103);
    expect(view.nodes.filter(({ kind }) => kind === "fold")).toHaveLength(2);
  });

  it("is drawn only where there would be more boxes than have names", () => {
    const few = modelOf([node(1), node(2)], [[1, 2]]);
    expect(mapped(few).nodes.map(({ key }) => key)).toEqual(["e1", "e2"]);
  });

  it("divides the largest frames into the groups within them", () => {
    const model = wide();
    model.groups.set(9, { id: 9, name: "dwh" });
    for (const id of [7, 8]) model.groups.get(id)!.groups = [9];
    expect(mapped(model).nodes.map(({ label }) => label))
      .toEqual(["n1", "raw", "marts", "s3"]);
  });

  it("divides a frame of very many from left to right, in at most eight parts", () => {
    const chain = Array.from({ length: 1_000 }, (_, at) => node(at + 1));
    const view = mapped(modelOf(chain, chain.slice(1).map(({ id }) => [id - 1, id])));
    expect(view.nodes).toHaveLength(1 + 8);
    expect(view.edges.map(({ from, to }) => `${from}>${to}`).sort()[0]).toBe("e1>fms1-d0");
  });

  it("has each entity in one box, and lines between boxes only where some entities have one", () => {
    fc.assert(fc.property(anyModel, (model) => {
      const draft = mapOf(model, draftOf(model), new Set());
      const members = draft.boxes.flatMap((box) => box.members).sort((a, b) => a - b);
      expect(members).toEqual([...model.nodes.keys()].sort((a, b) => a - b));
      const boxOf = new Map(draft.boxes.flatMap((box, at) => box.members.map((id) => [id, at])));
      const lines = new Set(
        model.edges.map(({ source, target }) => `${boxOf.get(source)}>${boxOf.get(target)}`),
      );
      for (let at = 0; at < draft.lines.count; at++) {
        expect(lines).toContain(`${draft.lines.from[at]}>${draft.lines.to[at]}`);
      }
    }));
  });
});
