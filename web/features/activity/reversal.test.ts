import { expect, it } from "vitest";
import { reversalOf } from "#web/features/activity/changes.ts";

const ann = { owner_name: "Ann", title_name: "Steward" };
const bob = { owner_name: "Bob", title_name: null };

it("a description goes back to the text before", () => {
  expect(reversalOf({
    event_type: "DESCRIPTION_UPDATED",
    old_state: { description: { description: null } },
    new_state: { description: { description: "Orders" } },
  })).toEqual({ kind: "description", from: "Orders", to: "" });
});

it("of owners, the one that was added, removed or given another title goes back", () => {
  const of = (
    event_type: "OWNERSHIP_CREATED" | "OWNERSHIP_UPDATED",
    old: object[],
    now: object[],
  ) => reversalOf({ event_type, old_state: { ownerships: old }, new_state: { ownerships: now } });
  expect(of("OWNERSHIP_CREATED", [ann], [ann, bob]))
    .toEqual({ kind: "owner", name: "Bob", from: bob, to: undefined });
  const chef = { owner_name: "Ann", title_name: "Chef" };
  expect(of("OWNERSHIP_UPDATED", [ann], [chef]))
    .toEqual({ kind: "owner", name: "Ann", from: chef, to: ann });
  expect(of("OWNERSHIP_UPDATED", [ann], [ann])).toBeUndefined();
});

it("nothing else can be taken back here", () => {
  expect(reversalOf({ event_type: "DATA_ENTITY_CREATED", old_state: {}, new_state: {} }))
    .toBeUndefined();
});
