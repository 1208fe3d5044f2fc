import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jobsAsLines } from "#web/graph/draft.ts";
import type { LineageNode, Model } from "#web/graph/model.ts";
import { limitNeighbours, type MoreNeighbours, neighbourLimit } from "#web/graph/neighbours.ts";
import { anyModel, job, modelOf, node } from "#web/graph/testing/models.ts";
import { viewOf } from "#web/graph/view.ts";

const more = (counts: [string, number][] = [], picked: number[] = []): MoreNeighbours => ({
  counts: new Map(counts),
  picked: new Set(picked),
});
const limited = (model: Model, wanted = more(), asLines?: typeof jobsAsLines) =>
  viewOf(model, { limit: (model, draft) => limitNeighbours(model, draft, wanted), asLines });
const keys = (...given: Parameters<typeof limited>) =>
  limited(...given).nodes.map(({ key }) => key);

/** The root 1 that feeds so many: `n100`, `n101` … */
function hub(count: number, given: (at: number) => Partial<LineageNode> = () => ({})): Model {
  const fed = Array.from({ length: count }, (_, at) => node(100 + at, given(at)));
  return modelOf([node(1, { children: count }), ...fed], fed.map(({ id }) => [1, id]));
}

describe("neighbors of one side", () => {
  it("are all drawn up to twelve; of more the first ten, and the box says how many are left out", () => {
    expect(keys(hub(12))).toHaveLength(13);
    const view = limited(hub(40));
    expect(view.nodes).toHaveLength(11);
    expect(view.nodes[0]).toMatchObject({
      hiddenChildren: 30,
      paged: { parents: 0, children: 30 },
    });
    expect(view.edges).toHaveLength(10);
  });

  it("come by open alerts, then by how much is made from them, then by name", () => {
    const model = hub(20, (at) => ({
      hasAlerts: at === 17,
      children: at === 15 ? 9 : at === 16 ? 4 : 0,
    }));
    const drawn = keys(model);
    expect(drawn).toEqual(expect.arrayContaining(["e117", "e115", "e116", "e100", "e106"]));
    expect(drawn).not.toContain("e107");
  });

  it("are more when somebody wants more, and one that is picked is there in any case", () => {
    expect(keys(hub(40), more([["1d", 10]]))).toHaveLength(21);
    expect(keys(hub(40), more([["1d", 99_999]]))).toHaveLength(41);
    expect(keys(hub(40), more([["1u", 10]]))).toHaveLength(11);
    const picked = keys(hub(40), more([], [139]));
    expect(picked).toHaveLength(12);
    expect(picked).toContain("e139");
  });

  it("are there where they lie between two entities whose paths somebody wants to see", () => {
    const model = hub(40);
    model.nodes.set(500, node(500));
    model.edges.push({ source: 139, target: 500 });
    expect(keys(model)).not.toContain("e139");
    const drawn = keys(model, { ...more(), paths: [[1, 500]] });
    expect(drawn).toEqual(expect.arrayContaining(["e139", "e500"]));
    expect(drawn).toHaveLength(13);
  });

  it("are those behind jobs that are lines, and jobs where those are boxes", () => {
    const model = hub(40);
    const jobs = [...model.nodes.values()].slice(1).map(({ id }) => node(id + 1_000, job));
    for (const each of jobs) model.nodes.set(each.id, each);
    model.edges = jobs.flatMap(({ id }) => [
      { source: 1, target: id },
      { source: id, target: id - 1_000 },
    ]);
    expect(keys(model, more(), jobsAsLines)).toHaveLength(11);
    expect(keys(model)).toHaveLength(21);
  });

  it("leave out nothing that another way leads to, nor what no line connects to a root", () => {
    const model = hub(40);
    model.nodes.set(500, node(500));
    model.edges.push({ source: 100, target: 139 });
    const view = limited(model);
    expect(view.nodes.map(({ key }) => key)).toEqual(expect.arrayContaining(["e139", "e500"]));
    expect(view.nodes[0]!.hiddenChildren).toBe(29);
  });

  it("are drawn and left out so that nothing is lost: each is drawn, or some drawn box counts it", () => {
    fc.assert(fc.property(anyModel, (model) => {
      const all = viewOf(model).nodes.length;
      const view = limited(model);
      const left = view.nodes.reduce(
        (sum, { paged }) => sum + (paged ? paged.parents + paged.children : 0),
        0,
      );
      expect(view.nodes.length).toBeLessThanOrEqual(all);
      if (view.nodes.length < all) expect(left).toBeGreaterThan(0);
      const degrees = Map.groupBy(view.edges, ({ from }) => from);
      for (const { key, paged } of view.nodes) {
        if ((paged?.children ?? 0) === 0) continue;
        expect(degrees.get(key)!.length).toBeGreaterThanOrEqual(neighbourLimit.page);
      }
    }));
  });
});
