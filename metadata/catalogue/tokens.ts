import type { Queryable } from "#metadata/postgres/database.ts";
export function tokenHolder(
  _db: Queryable,
  _token: string,
): Promise<{ kind: "collector" | "data_source"; id: number; name: string } | undefined> {
  return Promise.resolve(undefined);
}
