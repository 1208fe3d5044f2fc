import "#web/messages/testing/english.ts";
import { expect, it } from "vitest";
import { groupsOf } from "#web/features/activity/groups.ts";
import type { ActivityEvent } from "#web/features/activity/events.ts";

const start = Date.UTC(2026, 2, 1, 12);
let id = 1_000;

/** An event so many seconds before noon. */
function event(seconds: number, entity: number, given: Partial<ActivityEvent> = {}): ActivityEvent {
  return {
    id: id--,
    event_type: "DATA_ENTITY_CREATED",
    created_at: new Date(start - seconds * 1_000).toISOString(),
    created_by: null,
    data_entity: { id: entity } as ActivityEvent["data_entity"],
    old_state: {},
    new_state: {},
    system_event: true,
    ...given,
  };
}

const sources = new Map([[1, "shop"], [2, "shop"], [3, "dwh"]]);
const global = { sources, ofEntity: false, hasMore: false };
const shown = (events: ActivityEvent[], how = global) =>
  groupsOf(events, how).map(({ who, events: { length }, entities }) => [who, length, entities]);

it("what a batch did to many entities is one group, by its data source", () => {
  const events = [event(0, 1), event(1, 3), event(2, 2), event(2, 1)];
  expect(shown(events)).toEqual([["shop", 3, 2], ["dwh", 1, 1]]);
});

it("a batch five minutes later is another, and so is another kind of change", () => {
  expect(shown([event(0, 1), event(300, 2)])).toEqual([["shop", 1, 1], ["shop", 1, 1]]);
  const changed = event(1, 1, { event_type: "DATA_ENTITY_SCHEMA_UPDATED" });
  expect(shown([event(0, 1), changed])).toHaveLength(2);
});

it("of one entity, all that a batch changed is one group, and what people did is not", () => {
  const schema = event(1, 1, { event_type: "DATA_ENTITY_SCHEMA_UPDATED" });
  const byHand = { system_event: false, event_type: "DESCRIPTION_UPDATED" } as const;
  const events = [event(0, 1), schema, event(2, 1, byHand), event(3, 1, byHand)];
  expect(shown(events, { ...global, ofEntity: true }))
    .toEqual([["shop", 2, 1], ["Anonymous", 1, 1], ["Anonymous", 1, 1]]);
});

it("a group that may go on in what is not read yet is not complete", () => {
  const complete = (hasMore: boolean) =>
    groupsOf([event(0, 1), event(400, 3), event(401, 3)], { ...global, hasMore })
      .map((group) => group.complete);
  expect(complete(true)).toEqual([true, false]);
  expect(complete(false)).toEqual([true, true]);
});
