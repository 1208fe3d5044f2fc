import type { MiddlewareHandler } from "hono";
import { translatedKeys, translateKeys } from "#contract/ingestion/translate.ts";

/**
 * Lets clients of the upstream ecosystem spell query names and the keys of JSON bodies `oddrn` where
 * ours are `catrn`: the request is rewritten before anything looks at it.
 */
export const acceptUpstreamSpelling: MiddlewareHandler = async (c, next) => {
  const request = c.req.raw;
  const url = respelled(request.url);
  const isJson = (request.headers.get("content-type") ?? "").includes("json");
  if (isJson && request.body) {
    const body = translateKeys(new Uint8Array(await request.arrayBuffer()));
    const { method, headers, signal } = request;
    c.req.raw = new Request(url, { method, headers, signal, body: body as BodyInit });
  } else if (url !== request.url) c.req.raw = new Request(url, request);
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
