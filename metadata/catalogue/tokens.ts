import { digestOf } from "#kit/secret.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** What a collector's or data source's token was given to. */
export interface TokenHolder {
  kind: "collector" | "data_source";
  id: number;
  name: string;
}

// Looked up by digest, so that the time taken reveals nothing about the token.
const holder = statement<TokenHolder>("token-holder")`
  SELECT 'collector' AS kind, c.id, c.name
    FROM token t JOIN collector c ON c.token_id = t.id WHERE t.digest = $1
  UNION ALL
  SELECT 'data_source', s.id, s.name
    FROM token t JOIN data_source s ON s.token_id = t.id WHERE t.digest = $1`;

/** Whose token this is; undefined for one that is nobody's, or nobody's any more. Nothing is cached. */
export async function tokenHolder(db: Queryable, token: string): Promise<TokenHolder | undefined> {
  return (await db.query(holder, [digestOf(token)]))[0];
}

const ingests = statement<{ may: boolean }>("token-may-ingest")`
  SELECT CASE WHEN token_id IS NULL THEN $2 = 'collector' AND collector_id = $3
              ELSE $2 = 'data_source' AND id = $3 END AS may
    FROM data_source WHERE catrn = $1`;

/**
 * Whether a token's holder may write what is in this data source: by the source's own token, else by that of
 * its collector. False for a source that is not registered. Nothing is cached.
 */
export async function mayIngest(
  db: Queryable,
  { kind, id }: Pick<TokenHolder, "kind" | "id">,
  dataSourceCatrn: string,
): Promise<boolean> {
  return (await db.query(ingests, [dataSourceCatrn, kind, id]))[0]?.may ?? false;
}
