import "#web/messages/testing/english.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jobsAsLines } from "#web/graph/draft.ts";
import type { Model, View } from "#web/graph/model.ts";
import {
  anyModel,
  job,
  modelOf,
  node,
  viewWithGroups as viewOf,
} from "#web/graph/testing/models.ts";
import type { ViewOptions } from "#web/graph/view.ts";

const keys = (view: View) => view.nodes.map(({ key }) => key);
const many = (count: number) => Array.from({ length: count }, (_, at) => node(100 + at));
const lines = (view: View) => view.edges.map(({ key }) => key).sort();

const anyOptions: fc.Arbitrary<ViewOptions> = fc.record({
  asLines: fc.constantFrom(undefined, jobsAsLines),
  unfolded: fc.subarray(["fg101", "fg102", "fg103"]).map((open) => new Set(open)),
});

/** All folds that a view still has, opened. */
function unfoldAll(model: Model, options: ViewOptions): View {
  const unfolded = new Set(options.unfolded);
  for (;;) {
    const view = viewOf(model, { ...options, unfolded });
    const folds = view.nodes.filter(({ kind }) => kind === "fold");
    if (folds.length === 0) return view;
    for (const { key } of folds) {
      expect(unfolded.has(key)).toBe(false);
      unfolded.add(key);
    }
  }
}

describe("a view", () => {
  it("loses no entity: each is in one box, or is the job of lines", () => {
    fc.assert(fc.property(anyModel, anyOptions, (model, options) => {
      const view = viewOf(model, options);
      const jobs = new Set(view.edges.flatMap((edge) => edge.jobs));
      const members = view.nodes.flatMap((box) => box.members);
      expect([...members, ...jobs].sort((a, b) => a - b))
        .toEqual([...model.nodes.keys()].sort((a, b) => a - b));
    }));
  });

  it("has unique keys, and lines between boxes that it has, each once and as the model has them", () => {
    fc.assert(fc.property(anyModel, anyOptions, (model, options) => {
      const view = viewOf(model, options);
      expect(new Set(keys(view)).size).toBe(view.nodes.length);
      expect(new Set(lines(view)).size).toBe(view.edges.length);
      const boxOf = new Map(
        view.nodes.flatMap(({ key, members }) => members.map((id) => [id, key])),
      );
      const jobs = new Set(view.edges.flatMap((edge) => edge.jobs));
      const expected = new Set<string>();
      const nextOf = (id: number) =>
        model.edges.filter(({ source }) => source === id).map(({ target }) => target);
      for (const { source, target } of model.edges) {
        if (jobs.has(source)) continue;
        const through = new Set([target]);
        for (const id of through) {
          if (jobs.has(id)) { for (const next of nextOf(id)) through.add(next); }
        }
        for (const end of [...through].filter((id) => !jobs.has(id))) {
          const [from, to] = [boxOf.get(source)!, boxOf.get(end)!];
          if (from !== to || from.startsWith("e")) expected.add(`${from}>${to}`);
        }
      }
      expect(lines(view)).toEqual([...expected].sort());
    }));
  });

  it("is the whole model again once every fold is opened", () => {
    fc.assert(fc.property(anyModel, anyOptions, (model, options) => {
      const view = unfoldAll(model, { ...options, asLines: undefined });
      expect(keys(view).sort()).toEqual([...model.nodes.keys()].map((id) => `e${id}`).sort());
      expect(lines(view))
        .toEqual(model.edges.map(({ source, target }) => `e${source}>e${target}`).sort());
    }));
  });

  it("is the same for the same model, and leaves the model as it is", () => {
    fc.assert(fc.property(anyModel, anyOptions, (model, options) => {
      const before = structuredClone(model);
      expect(viewOf(model, options)).toEqual(viewOf(model, options));
      expect(model).toEqual(before);
    }));
  });

  it("is empty for an empty model", () => {
    expect(viewOf(modelOf([], []))).toEqual({ nodes: [], edges: [] });
  });

  it("manages 50,000 entities", () => {
    const nodes = Array.from({ length: 50_000 }, (_, id) => node(id));
    const model = modelOf(nodes, nodes.slice(1).map(({ id }): [number, number] => [0, id]));
    expect(viewOf(model).nodes).toHaveLength(50_000);
  });

  it("has cards up to 60 boxes; in a larger one assets are rows without names of jobs, but for the root", () => {
    const drawn = (count: number) => {
      const nodes = [node(1), node(2, { ...job, children: 1 }), ...many(count)];
      const pairs = nodes.slice(2).map(({ id }): [number, number] => [2, id]);
      return viewOf(modelOf(nodes, [[1, 2], ...pairs]), { asLines: jobsAsLines });
    };
    expect(drawn(40).nodes.some(({ form }) => form)).toBe(false);
    expect(drawn(40).edges[0]!.label).toBe("n2");
    const large = viewOf(modelOf([node(1), ...many(60)], many(60).map(({ id }) => [1, id])));
    expect(large.nodes.map(({ form }) => form === "row")).toEqual([
      false,
      ...many(60).map(() => true),
    ]);
  });
});

describe("jobs on lines", () => {
  const pipeline = (more: Partial<typeof job> & { children?: number } = {}) =>
    modelOf([node(1), node(2, { ...job, parents: 1, children: 1, ...more }), node(3)], [[1, 2], [
      2,
      3,
    ]]);

  it("are labels of lines from what they read to what they write", () => {
    const view = viewOf(pipeline(), { asLines: jobsAsLines });
    expect(keys(view)).toEqual(["e1", "e3"]);
    expect(view.edges).toEqual([{ key: "e1>e3", from: "e1", to: "e3", jobs: [2], label: "n2" }]);
  });

  it("leave what they write besides to the handle of what they read", () => {
    const view = viewOf(pipeline({ children: 3 }), { asLines: jobsAsLines });
    expect(view.nodes).toMatchObject([
      { key: "e1", hiddenParents: 0, hiddenChildren: 2 },
      { key: "e3", hiddenParents: 0, hiddenChildren: 0 },
    ]);
  });

  const among = (pairs: [number, number][], roots: number[]) =>
    viewOf(modelOf([node(1), node(2, job), node(3, job), node(4)], pairs, roots), {
      asLines: jobsAsLines,
    });

  it("are one line when they follow each other, and a loop where they write what they read", () => {
    expect(among([[1, 2], [2, 3], [3, 4]], []).edges).toMatchObject([
      { key: "e1>e4", jobs: [2, 3], label: "2 jobs" },
    ]);
    expect(lines(among([[1, 2], [2, 1]], []))).toEqual(["e1>e1"]);
  });

  it("stay boxes as roots, and where nothing drawn leads to them or from them", () => {
    expect(keys(among([[1, 2], [2, 4]], [2]))).toContain("e2");
    expect(lines(among([[1, 2], [2, 4], [2, 3]], []))).toEqual(["e1>e3", "e1>e4"]);
    expect(lines(among([[1, 2]], []))).toEqual(["e1>e2"]);
    expect(lines(among([[2, 4]], []))).toEqual(["e2>e4"]);
  });

  it("are one line where they connect the same, and none where they would be too many", () => {
    const two = modelOf([node(1), node(2, job), node(3, job), node(4)], [[1, 2], [2, 4], [1, 3], [
      3,
      4,
    ]]);
    expect(viewOf(two, { asLines: jobsAsLines }).edges).toMatchObject([{
      jobs: [2, 3],
      label: "2 jobs",
    }]);
    const tables = Array.from({ length: 20 }, (_, at) => node(10 + at));
    const wide = modelOf(
      [node(1, job), ...tables],
      tables.map(({ id }): [number, number] => (id < 20 ? [id, 1] : [1, id])),
      [],
    );
    expect(viewOf(wide, { asLines: jobsAsLines }).edges).toHaveLength(20);
  });
});
