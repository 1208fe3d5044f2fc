import type { MiddlewareHandler } from "hono";
import { translatedKeys } from "#contract/ingestion/translate.ts";

/**
 * Lets clients of the upstream ecosystem spell query names `oddrn` where ours are `catrn`: the request
 * is rewritten before anything looks at it. Keys of bodies are translated where bodies are taken.
 */
export const acceptUpstreamSpelling: MiddlewareHandler = async (c, next) => {
  const request = c.req.raw;
  const url = respelled(request.url);
  if (url !== request.url) c.req.raw = new Request(url, request);
  await next();
};

function respelled(address: string): string {
  if (!address.includes("oddrn")) return address;
  const url = new URL(address);
  const pairs = [...url.searchParams].map(([name, value]) => [
    translatedKeys.get(name) ?? name,
    value,
  ]);
  url.search = new URLSearchParams(pairs).toString();
  return url.href;
}
