import { Buffer } from "node:buffer";
import { digestOf } from "#kit/secret.ts";
import { ShortCache } from "#kit/short-cache.ts";
import { tokenHolder } from "#metadata/catalogue/tokens.ts";
import type { Context } from "#platform/context.ts";
import type { AcceptedTokens } from "./token.ts";

/** Milliseconds that an answer is used: a token that is withdrawn works no longer than that. */
const freshMs = 1_000;
const maxKnownTokens = 10_000;

/** The tokens that exporters may send: `traces.token`, and where ingestion requires tokens, those of collectors. */
export function acceptedTokens(
  context: Pick<Context, "config" | "db" | "clock" | "metrics">,
): AcceptedTokens {
  const { config, db, clock, metrics } = context;
  const own = config.traces.token;
  if (!config.auth.ingestion.filter.enabled) return { own };
  const known = new ShortCache<boolean>({
    ttlMs: freshMs,
    maxEntries: maxKnownTokens,
    name: "exporter_tokens",
    clock,
    metrics,
  });
  const isCollectors = (token: string) => {
    const key = Buffer.from(digestOf(token)).toString("base64");
    return known.get(key, async () => await tokenHolder(db, token) !== undefined);
  };
  return { own, isCollectors };
}
