import { createHash, timingSafeEqual } from "node:crypto";
import type { IngestedDataSourceList } from "#contract/ingestion/others.ts";
import type { Database } from "#metadata/database.ts";
import { readCollectors, upsertDataSources } from "./queries.ts";

/**
 * Registers data sources by CATRN, again and again without harm; of several with one CATRN the last
 * counts. `authorization` that carries the token of a collector ties them to it and, while they have
 * none, to its namespace; any other is ignored as long as no token is demanded.
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
  if (token === undefined || token.includes("\0")) return undefined;
  const candidates = await readCollectors(db, token);
  return candidates.find(({ value }) => sameText(value, token));
}

/** Compares in a time that tells nothing of where the texts differ. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
