import { maxJsonDepth } from "#contract/ingestion/inspect.ts";
import type { Limit } from "#kit/limits.ts";
import { callerQueue } from "#platform/http/shares.ts";
import { maxBufferedBodies } from "#platform/http/body.ts";
import { refusalsAtOnce, smallBody } from "#platform/http/refusals.ts";
import { formLimits } from "#platform/http/take.ts";

const forms = "bodies under /api";

/** Limits of every HTTP request, applied before a route sees it. */
export const httpLimits: Limit[] = [
  {
    entrance: "/api, /ingestion, /mcp",
    bounds: "requests of one remote address at once",
    limit: { key: "server.max-requests-per-address" },
    beyond: "429 with Retry-After",
  },
  {
    entrance: "/api, /mcp",
    bounds: "requests of one user at once, of one process",
    limit: { key: "server.max-requests-per-caller" },
    beyond: "they wait",
  },
  {
    entrance: "/api, /mcp",
    bounds: "requests of one user waiting",
    limit: callerQueue.maxWaitingPerKey,
    beyond: "429 with Retry-After",
  },
  {
    entrance: "/api, /ingestion, /mcp, OTLP over HTTP and gRPC",
    bounds:
      `refused bytes of one remote address a minute, in bodies of more than ${smallBody} bytes`,
    limit: { key: "server.max-refused-bytes-per-address" },
    beyond: "429 with Retry-After, some seconds late",
  },
  {
    entrance: "/api, /ingestion, /mcp, /login",
    bounds: "refusals (401, 429) of one network in 10 s that are answered at once",
    limit: refusalsAtOnce,
    beyond: "each a second late",
  },
  {
    entrance: "/api, /ingestion, /mcp",
    bounds: "time to receive a body",
    limit: { key: "server.body-timeout" },
    beyond: "408",
  },
  {
    entrance: forms,
    bounds: "bytes of the changes of one caller in a day, of one process",
    limit: { key: "server.max-written-per-caller" },
    beyond: "429 with Retry-After",
  },
  {
    entrance: forms,
    bounds: "body after decompression, bytes",
    limit: { key: "server.max-body-size" },
    beyond: "400",
  },
  {
    entrance: forms,
    bounds: "all bodies at once, in units of the largest",
    limit: maxBufferedBodies,
    beyond: "503 with Retry-After",
  },
  { entrance: forms, bounds: "nesting", limit: maxJsonDepth, beyond: "400" },
  { entrance: forms, bounds: "objects and arrays", limit: formLimits.containers, beyond: "400" },
  { entrance: forms, bounds: "members of objects", limit: formLimits.members, beyond: "400" },
  { entrance: forms, bounds: "elements of arrays", limit: formLimits.elements, beyond: "400" },
];
