import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import { permissionsByResource } from "#contract/permissions.ts";
import { permissionGroups } from "#web/features/management/policy.ts";

const groupsOf = (permissions: readonly string[]) =>
  permissionGroups(permissions).map(({ object, permissions: some }) => [
    object,
    some.map(({ label }) => label),
  ]);

test("permissions stand under what they are about, which their labels do not repeat", () => {
  expect(groupsOf(["TAG_CREATE", "OWNER_CREATE", "OWNER_RELATION_MANAGE", "TAG_DELETE"])).toEqual([
    ["Tags", ["Create", "Delete"]],
    ["Owners", ["Create"]],
    ["User links", ["Manage relations"]],
  ]);
  expect(groupsOf(["DATA_ENTITY_ADD_TO_GROUP", "LOOKUP_TABLE_DATA_UPDATE"])).toEqual([
    ["Groups", ["Add to group"]],
    ["Rows of lookup tables", ["Update"]],
  ]);
});

test.each(Object.entries(permissionsByResource))(
  "%s: every permission has an object and a label of its own",
  (_, permissions) => {
    const groups = permissionGroups(permissions);
    expect(groups.map(({ object }) => object)).not.toContain("Other");
    for (const { object, permissions: some } of groups) {
      expect(new Set(some.map(({ label }) => label)).size, object).toBe(some.length);
    }
  },
);
