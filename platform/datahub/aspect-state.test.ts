import { describe, expect, it } from "vitest";
import { seeded } from "#test/support/random.ts";
import { type AspectState, joined, maxSteps, noState, valueOf } from "./aspect-state.ts";
import type { Change, PatchStep } from "./proposals.ts";

type Observed = { change: Exclude<Change, { kind: "entry" }>; at: number };

const set = (value: unknown, at: number): Observed => ({
  change: { kind: "set", value: JSON.stringify(value), create: false },
  at,
});
const patch = (at: number, ...steps: PatchStep[]): Observed => ({
  change: { kind: "patch", steps },
  at,
});
const add = (path: string[], value: unknown): PatchStep => ({ op: "add", path, value });
const remove = (path: string[]): PatchStep => ({ op: "remove", path });
const after = (changes: Observed[]): AspectState =>
  changes.reduce((state, { change, at }) => joined(state, change, at), noState);

function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  return list.map((one) => [random(), one] as const).sort(([a], [b]) => a - b).map(([, one]) =>
    one
  );
}

/** A random history of an aspect, each change observed at a time of its own. */
function history(random: () => number): Observed[] {
  const of = (count: number) => Math.floor(random() * count);
  const tag = () => `urn:li:tag:${of(4)}`;
  return Array.from({ length: 12 }, (_, at) => {
    const kind = of(10);
    if (kind === 0) return { change: { kind: "delete" }, at } as const;
    if (kind < 3) return set({ tags: [{ tag: tag() }], customProperties: { k: String(at) } }, at);
    const name = tag();
    return patch(
      at,
      of(2) === 0 ? add(["tags", name], { tag: name, context: at }) : remove(["tags", name]),
      of(2) === 0
        ? add(["customProperties", `p${of(3)}`], String(at))
        : remove(["customProperties", "k"]),
    );
  });
}

describe("an aspect", () => {
  it("is the same whatever the order and the repetition of its changes", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = seeded(seed);
      const changes = history(random);
      const expected = after(changes);
      const repeated = shuffled(random, [...changes, ...changes.slice(0, 6)]);
      expect([seed, after(repeated)]).toEqual([seed, expected]);
      expect([seed, valueOf(after(repeated))]).toEqual([seed, valueOf(expected)]);
    }
  });

  it("is the one that comes later of two that were observed at one time", () => {
    expect(valueOf(after([set({ n: 1 }, 5), set({ n: 2 }, 5)]))).toEqual({ n: 2 });
  });

  it("has no value after it was deleted, until it is observed later", () => {
    const deleted: Observed = { change: { kind: "delete" }, at: 5 };
    expect(valueOf(after([deleted, set({ n: 1 }, 4)]))).toBeUndefined();
    expect(valueOf(after([deleted, set({ n: 1 }, 6)]))).toEqual({ n: 1 });
  });

  it("holds no more steps than it may: they become part of its value", () => {
    const steps = Array.from(
      { length: maxSteps + 1 },
      (_, n) => add(["customProperties", `p${n}`], "x"),
    );
    const state = after([
      patch(1, ...steps.slice(0, maxSteps)),
      patch(2, ...steps.slice(maxSteps)),
    ]);
    expect(state.steps).toEqual([]);
    expect(Object.keys((valueOf(state) as { customProperties: object }).customProperties))
      .toHaveLength(maxSteps + 1);
  });
});

describe("a patch", () => {
  const patchedBy = (value: unknown, ...steps: PatchStep[]) =>
    valueOf(after([set(value, 1), patch(2, ...steps)]));

  it("adds, replaces and removes tags by their urn", () => {
    const value = { tags: [{ tag: "a" }, { tag: "b" }] };
    expect(patchedBy(value, add(["tags", "c"], { tag: "c" }), remove(["tags", "a"]))).toEqual({
      tags: [{ tag: "b" }, { tag: "c" }],
    });
  });

  it("finds elements by the members that it names itself", () => {
    const keys = ["tag", "attribution\u241fsource"];
    const value = { tags: [{ tag: "a", attribution: { source: "s" } }, { tag: "a" }] };
    expect(patchedBy(value, { ...remove(["tags", "a", "s"]), keys })).toEqual({
      tags: [{ tag: "a" }],
    });
    expect(patchedBy(value, { ...remove(["tags", "a"]), keys })).toEqual({ tags: [] });
  });

  it("adds and removes columns of upstream lineage", () => {
    const path = ["fineGrainedLineages", "SUM", "to", "NONE"];
    const added = patchedBy({ upstreams: [] }, add([...path, "x"], {}), add([...path, "y"], {}));
    expect(added).toMatchObject({
      fineGrainedLineages: [{
        upstreams: ["x", "y"],
        downstreams: ["to"],
        transformOperation: "SUM",
      }],
    });
    expect(patchedBy(added, remove([...path, "x"]))).toMatchObject({
      fineGrainedLineages: [{ upstreams: ["y"] }],
    });
  });

  it("reaches tags of a field that has none yet", () => {
    const path = ["editableSchemaFieldInfo", "y", "globalTags", "tags", "t"];
    expect(patchedBy({}, add(path, { tag: "t" }))).toEqual({
      editableSchemaFieldInfo: [{ fieldPath: "y", globalTags: { tags: [{ tag: "t" }] } }],
    });
  });

  it("leaves out what would reach members that every object has", () => {
    expect(patchedBy({}, add(["__proto__", "polluted"], 1))).toEqual({});
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
