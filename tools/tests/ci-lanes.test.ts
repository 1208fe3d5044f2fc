import { expect, it } from "vitest";
import { laneOf, testLanes } from "./ci-lanes.ts";

const unit = new Set(["kit/a.test.ts", "web/b.test.ts", "test/faults/c.test.ts"]);

it.each([
  ["kit/a.test.ts", "unit"],
  ["web/b.test.ts", "unit"],
  ["test/web/d.test.ts", "web"],
  ["test/faults/e.test.ts", "faults"],
  ["test/hardening/cost/f.test.ts", "faults"],
  ["services/g.test.ts", "features"],
])("laneOf: %s is in the lane %s", (file, lane) => {
  expect(laneOf(file, unit)).toBe(lane);
  expect(testLanes).toContain(lane);
});
