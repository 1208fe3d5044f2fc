import type { MiddlewareHandler } from "hono";
import { inspectJson, type JsonLimits } from "#contract/ingestion/json.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { AppError } from "#kit/errors.ts";
import type { Config } from "#platform/config/schema.ts";
import { BodyReader, missingBody } from "#platform/http/body.ts";

/** More than the largest form of ours needs: a group of 100,000 members. */
export const formLimits: JsonLimits = {
  containers: 120_000,
  members: 250_000,
  elements: 120_000,
};

const json = /^application\/([\w.-]+\+)?json$/i;

/**
 * Refuses what comes without a body, or with one that is not said to be JSON: web pages can send any
 * other type, or none, wherever they like.
 */
export const requireJson: MiddlewareHandler = async (c, next) => {
  const { body, headers } = c.req.raw;
  const given = headers.get("content-type");
  // Whatever a request lacks, the runtime hands out a stream; who announces nothing sends nothing.
  const announced = headers.get("content-length") ?? headers.get("transfer-encoding") ?? given;
  if (body === null || announced === null || announced === "0") throw missingBody();
  const type = (given ?? "").split(";", 1)[0]!.trim();
  if (!json.test(type)) {
    throw new AppError("Content-Type must be application/json", {
      status: 415,
      code: "USR001",
      resolvable: true,
    });
  }
  await next();
};

/**
 * Reads the body of a form within its bounds, before anything parses it: bytes and time of
 * `server.max-body-size` and `server.body-timeout`, `formLimits` of whatever is in it, and all bodies
 * at once. Keys may be spelled `oddrn`.
 */
export function takeForms(server: Config["server"]): MiddlewareHandler {
  const reader = new BodyReader({
    maxBytes: server["max-body-size"],
    timeoutMs: server["body-timeout"],
  });
  return async (c, next) => {
    const request = c.req.raw;
    await reader.read(request, async (body) => {
      inspectJson(body, formLimits);
      const { method, headers, signal, url } = request;
      const taken = translateKeys(body) as BodyInit;
      c.req.raw = new Request(url, { method, headers, signal, body: taken });
      await next();
    });
  };
}
