import { entityTypeNames, entityTypes } from "#contract/entities.ts";
import { unstorable } from "#contract/text.ts";
import type { Context } from "#platform/context.ts";
import { readMembers } from "./queries.ts";

const typeNames = new Map(entityTypeNames.map((name) => [entityTypes[name].id as number, name]));

/** CompactDataEntityList of a group's direct members as JSON text; empty for an unknown group. */
export async function membersOf(context: Pick<Context, "db">, group: string): Promise<string> {
  return JSON.stringify({ items: await read(context, group) });
}

/** The same, with each member's CATRN also under the upstream key. */
export async function aliasedMembersOf(
  context: Pick<Context, "db">,
  group: string,
): Promise<string> {
  const members = await read(context, group);
  const items = members.map(({ catrn, type }) => ({ catrn, oddrn: catrn, type }));
  return JSON.stringify({ items });
}

async function read({ db }: Pick<Context, "db">, group: string) {
  if (unstorable(group)) return [];
  const rows = await readMembers(db, group);
  return rows.map(({ catrn, type_id }) => ({ catrn, type: typeNames.get(type_id) }));
}
