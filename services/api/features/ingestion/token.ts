import { unauthenticated } from "#kit/errors.ts";
import { mayIngest, type TokenHolder, tokenHolder } from "#metadata/catalogue/tokens.ts";
import type { Context } from "#platform/context.ts";
import { bearerToken } from "#platform/http/bearer.ts";
import type { Caller } from "#platform/operations/caller.ts";

type Deps = Pick<Context, "db" | "config">;

/**
 * Throws 401 when ingestion requires tokens (`auth.ingestion.filter.enabled`) and the caller's is neither that of the
 * data source nor that of its collector.
 */
export async function requireTokenOf(
  { db, config }: Deps,
  { tokenOf }: Caller,
  dataSourceCatrn: string,
): Promise<void> {
  if (!config.auth.ingestion.filter.enabled) return;
  if (tokenOf && await mayIngest(db, tokenOf, dataSourceCatrn)) return;
  throw unauthenticated(
    `The token is neither that of data source ${dataSourceCatrn} nor that of its collector`,
  );
}

/**
 * The collector that registers data sources. Where ingestion requires tokens, it must be one: throws 401 for the token
 * of a data source. Elsewhere other tokens are ignored.
 */
export async function registrar(
  { db, config }: Deps,
  caller: Caller,
  request: Request,
): Promise<number | undefined> {
  const holder = caller.tokenOf ?? await holderOf(db, request);
  if (holder?.kind === "collector") return holder.id;
  if (!config.auth.ingestion.filter.enabled) return undefined;
  throw unauthenticated("Data sources are registered with the token of a collector");
}

async function holderOf(
  db: Context["db"],
  { headers }: Request,
): Promise<Pick<TokenHolder, "kind" | "id"> | undefined> {
  const token = bearerToken(headers.get("authorization"));
  return token === undefined ? undefined : await tokenHolder(db, token);
}
