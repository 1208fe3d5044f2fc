import type { IngestedDataSourceList } from "#contract/ingestion/others.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { readCollector, upsertDataSources } from "./queries.ts";

/**
 * Registers data sources by CATRN; idempotent. Of several with one CATRN the last wins. A
 * collector's token in `authorization` links them to it and, if they have none, to its namespace.
 * Other tokens are ignored as long as none is required.
 */
export async function registerDataSources(
  db: Database,
  list: IngestedDataSourceList,
  authorization: string | null,
): Promise<void> {
  const collector = await collectorOf(db, bearerToken(authorization));
  const byCatrn = new Map(list.items.map((item) => [item.catrn, item]));
  const sources = [...byCatrn.values()].sort((a, b) => (a.catrn < b.catrn ? -1 : 1));
  if (sources.length > 0) await upsertDataSources(db, sources, collector);
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | null): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

async function collectorOf(db: Database, token: string | undefined) {
  if (token === undefined) return undefined;
  const digest = digestOf(token);
  const found = await readCollector(db, digest);
  return found && sameDigest(found.digest, digest) ? found : undefined;
}
