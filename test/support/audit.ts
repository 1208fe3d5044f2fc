import type { Queryable } from "#metadata/postgres/database.ts";

/** What `work` told auditors: type, actor and subject of each event, in order. */
export async function auditedBy(
  db: Queryable,
  work: () => Promise<unknown>,
): Promise<[string, string | null, string | null][]> {
  const [last] = await db.query<{ id: number }>("SELECT max(id) AS id FROM audit_event");
  await work();
  const rows = await db.query<{ type: string; actor: string | null; subject: string | null }>(
    "SELECT type, actor, subject FROM audit_event WHERE id > $1 ORDER BY id",
    [last?.id ?? 0],
  );
  return rows.map(({ type, actor, subject }) => [type, actor, subject]);
}
