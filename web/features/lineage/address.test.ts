import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LineageState,
  maxCards,
  maxSteps,
  paramsOf,
  stateOf,
  type Step,
  unfolding,
  withStep,
} from "#web/features/lineage/address.ts";

const id = fc.integer({ min: 1, max: 1e9 });
const side = fc.constantFrom("upstream" as const, "downstream" as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("open" as const), id, side, depth: fc.constantFrom(1, 3, "all") }),
  fc.record({
    kind: fc.constant("page" as const),
    id,
    side,
    page: fc.integer({ min: 1, max: 999 }),
  }),
  fc.record({ kind: fc.constant("close" as const), id, side }),
  fc.record({ kind: fc.constant("paths" as const), id, to: id }),
) as fc.Arbitrary<Step>;
const key = fc.integer({ min: 1, max: 1e6 }).map((number) => `e${number}`);
const state: fc.Arbitrary<LineageState> = fc.record({
  depth: fc.constantFrom(1 as const, 3 as const, "all" as const),
  only: fc.constantFrom(null, "upstream" as const, "downstream" as const),
  steps: fc.array(step, { maxLength: maxSteps }),
  unfolded: fc.array(fc.constantFrom("fg12", "fsabc-2"), { maxLength: 2 }),
  jobs: fc.boolean(),
  selected: fc.array(key, { maxLength: 2 }),
  view: fc.constantFrom(null, { x: -12.5, y: 3, zoom: 0.25 }),
  classes: fc.constantFrom([], ["DATA_SET", "DATA_CONSUMER"]),
  sources: fc.uniqueArray(id, { maxLength: 3 }),
  alertsOnly: fc.boolean(),
  panel: fc.boolean(),
  members: fc.boolean(),
  asOf: fc.constantFrom(null, "2026-03-01T12:00:00.000Z"),
  compare: fc.boolean(),
  cards: fc.uniqueArray(id, { maxLength: maxCards }),
  column: fc.constantFrom(null, "12.address.city", "7.a,b & c=d"),
}).map((state): LineageState => ({
  ...state,
  classes: [...state.classes],
  compare: state.compare && state.asOf !== null,
}));

describe("the address of a drawing", () => {
  it("says all of its state", () => {
    fc.assert(fc.property(state, (state) => {
      expect(stateOf(paramsOf(state))).toEqual(state);
    }));
  });

  it("is as at the start where it says nothing, or nothing that makes sense", () => {
    const start = stateOf({});
    expect(start).toMatchObject({
      depth: 1,
      only: null,
      steps: [],
      selected: [],
      view: null,
      panel: false,
    });
    const steps = "0d1.12x1.-12d3.12p.1d2.9999999999999999d1.12un0.<svg>";
    expect(
      stateOf({ depth: "99", direction: "sideways", steps, sel: "x1~'", at: "no", open: "f<b>" }),
    ).toEqual(start);
  });

  it("forgets the first steps of very many", () => {
    const steps = Array.from(
      { length: 200 },
      (_, at): Step => ({ kind: "close", id: at + 1, side: "upstream" }),
    );
    expect(stateOf(paramsOf({ steps })).steps).toEqual(steps.slice(-maxSteps));
  });
});

describe("steps", () => {
  const open: Step = { kind: "open", id: 1, side: "upstream", depth: 1 };
  const close: Step = { kind: "close", id: 1, side: "upstream" };

  it("that were just opened and are closed leave nothing", () => {
    expect(withStep([open], close)).toEqual([]);
    const other: Step = { kind: "open", id: 2, side: "upstream", depth: 3 };
    expect(withStep([open, other], close)).toEqual([other, close]);
    expect(withStep([], close)).toEqual([close]);
  });
});

it("a fold is opened once", () => {
  expect(unfolding(["fs1"], "fg7")).toEqual({ unfolded: ["fs1", "fg7"] });
  expect(unfolding(["fg7"], "fg7")).toEqual({ unfolded: ["fg7"] });
});
