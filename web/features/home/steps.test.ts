import "#web/messages/testing/english.ts";
import { expect, it } from "vitest";
import { describedState } from "#web/features/home/steps.ts";

it("says how many assets have something that people added", () => {
  expect(describedState({ total_count: 0, unfilled_count: 0 })).toEqual({ state: "open" });
  expect(describedState({ total_count: 42, unfilled_count: 42 }).state).toBe("open");
  expect(describedState({ total_count: 42, unfilled_count: 40 })).toEqual({
    state: "done",
    text: "2 of 42 assets have something that people added",
  });
});
