import { describe, expect, it } from "vitest";
import { type Alert, groupAlerts, linesOf } from "#web/features/alerts/groups.ts";

const alert = (id: number, entity: number | null, status: Alert["status"] = "OPEN"): Alert => ({
  id,
  type: "FAILED_JOB",
  status,
  created_at: "2026-01-01T00:00:00Z",
  description: "",
  data_entity: entity === null
    ? null
    : { id: entity, status: { status: "UNASSIGNED" }, is_stale: false },
  data_source: { id: 7, catrn: "//s", name: "s" },
});
const upstream = (of: Record<number, number[]>) =>
  new Map(Object.entries(of).map(([id, ids]) => [Number(id), new Set(ids)]));
const keys = (...given: Parameters<typeof groupAlerts>) =>
  groupAlerts(...given).map(({ key }) => key);

describe("groupAlerts", () => {
  it("gathers alerts by entity, those of none by source, in the order given", () => {
    const groups = groupAlerts([alert(1, 10), alert(2, null), alert(3, 10)], upstream({}));
    expect(groups.map(({ key, alerts }) => [key, alerts.map(({ id }) => id)])).toEqual([
      ["entity-10", [1, 3]],
      ["source-7", [2]],
    ]);
  });

  it("puts what fails upstream first, and what fails by it right below", () => {
    const alerts = [alert(1, 30), alert(2, 99), alert(3, 20), alert(4, 10)];
    const order = keys(alerts, upstream({ 30: [20, 10], 20: [10] }));
    expect(order).toEqual(["entity-99", "entity-10", "entity-20", "entity-30"]);
  });

  it("takes neither of two in a circle for the cause of the other", () => {
    const order = keys([alert(1, 10), alert(2, 20)], upstream({ 10: [20], 20: [10] }));
    expect(order).toEqual(["entity-10", "entity-20"]);
  });

  it("takes no resolved alert for a cause", () => {
    const alerts = [alert(1, 20), alert(2, 10, "RESOLVED")];
    const groups = groupAlerts(alerts, upstream({ 20: [10] }));
    expect(groups.map(({ key, causes }) => [key, causes.length])).toEqual([
      ["entity-20", 0],
      ["entity-10", 0],
    ]);
  });

  it("loses none, whatever is upstream of what", () => {
    const alerts = [1, 2, 3, 4].map((id) => alert(id, id));
    const order = keys(alerts, upstream({ 1: [2], 2: [3], 3: [1], 4: [1, 2, 3] }));
    expect(order.toSorted()).toEqual(["entity-1", "entity-2", "entity-3", "entity-4"]);
  });
});

describe("linesOf", () => {
  it("has each group before its alerts, unless there is one only", () => {
    const lines = linesOf(groupAlerts([alert(1, 10), alert(2, 20), alert(3, 10)], upstream({})));
    expect(lines.map(({ key }) => key)).toEqual([
      "entity-10",
      "alert-1",
      "alert-3",
      "alert-2",
    ]);
  });
});
