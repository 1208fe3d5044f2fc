import { entityTypeNames, entityTypes } from "#contract/entities.ts";
import type { Context } from "#platform/context.ts";
import { readMembers } from "./queries.ts";

const typeNames = new Map(entityTypeNames.map((name) => [entityTypes[name].id as number, name]));

/** CompactDataEntityList of a group's direct members as JSON text; empty for an unknown group. */
export async function membersOf({ db }: Pick<Context, "db">, group: string): Promise<string> {
  if (group.includes("\0")) return '{"items":[]}';
  const rows = await readMembers(db, group);
  const items = rows.map(({ catrn, type_id }) => ({ catrn, type: typeNames.get(type_id) }));
  return JSON.stringify({ items });
}
