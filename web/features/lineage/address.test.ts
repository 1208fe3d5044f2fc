import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { colourings } from "#web/graph/style.ts";
import {
  extents,
  type LineageState,
  maxCards,
  maxSteps,
  modes,
  paramsOf,
  stateOf,
  type Step,
  withStep,
} from "#web/features/lineage/address.ts";
import { folding, unfolding } from "#web/features/lineage/expanding.ts";

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
  up: fc.constantFrom(...extents),
  down: fc.constantFrom(...extents),
  steps: fc.array(step, { maxLength: maxSteps }),
  unfolded: fc.array(fc.constantFrom("fg12", "fmg12-d3"), { maxLength: 2 }),
  folded: fc.constantFrom([], ["fg7", "fg12"]),
  mode: fc.constantFrom(...modes),
  draw: fc.constantFrom("auto", "map", "all"),
  colour: fc.constantFrom(...colourings),
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
  folded: [...state.folded],
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
      up: 2,
      down: 2,
      steps: [],
      selected: [],
      view: null,
      panel: false,
    });
    const steps = "0d1.12x1.-12d3.12p.1d4.9999999999999999d1.12un0.<svg>";
    expect(
      stateOf({
        up: "99",
        down: "-1",
        closed: "e1",
        show: "all",
        steps,
        sel: "x1~'",
        at: "no",
        open: "f<b>",
      }),
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

it("opens as its reader prefers where the address says nothing", () => {
  expect(stateOf({ down: "1" }, { up: 5, down: 5 })).toMatchObject({ up: 5, down: 1 });
});

it("opens a fold once, all parts of a group together, and draws a group as one box again", () => {
  const folds = { unfolded: ["fs1"], folded: ["fg7"] };
  expect(unfolding(folds, "fg7-1")).toEqual({ unfolded: ["fs1", "fg7"], folded: [] });
  expect(unfolding(folds, "fs1")).toEqual(folds);
  expect(folding({ unfolded: ["fg7"], folded: [] }, 7)).toEqual({ unfolded: [], folded: ["fg7"] });
});
