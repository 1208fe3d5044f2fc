import { maxJsonDepth } from "#contract/ingestion/inspect.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { callerQueue } from "#platform/http/shares.ts";
import { maxBufferedBodies } from "#platform/http/body.ts";
import { refusalsAtOnce, smallBody } from "#platform/http/refusals.ts";
import { formLimits } from "#platform/http/take.ts";

const forms = "bodies under /api";

/** Limits of every HTTP request, applied before a route sees it. */
export const httpLimits: Limit[] = [
  limit("/api, /ingestion, /mcp", "requests of one remote address at once", {
    key: "server.max-requests-per-address",
  }, "429 with Retry-After"),
  limit("/api, /mcp", "requests of one user at once, of one process", {
    key: "server.max-requests-per-caller",
  }, "they wait"),
  limit(
    "/api, /mcp",
    "requests of one user waiting",
    callerQueue.maxWaitingPerKey,
    "429 with Retry-After",
  ),
  limit(
    "/api, /ingestion, /mcp, OTLP over HTTP and gRPC",
    `refused bytes of one remote address a minute, in bodies of more than ${smallBody} bytes`,
    { key: "server.max-refused-bytes-per-address" },
    "429 with Retry-After, some seconds late",
  ),
  limit(
    "/api, /ingestion, /mcp, /login",
    "refusals (401, 429) of one network in 10 s that are answered at once",
    refusalsAtOnce,
    "each a second late",
  ),
  limit("/api, /ingestion, /mcp", "time to receive a body", { key: "server.body-timeout" }, "408"),
  limit(forms, "bytes of the changes of one caller in a day, of one process", {
    key: "server.max-written-per-caller",
  }, "429 with Retry-After"),
  limit(forms, "body after decompression, bytes", { key: "server.max-body-size" }),
  limit(
    forms,
    "all bodies at once, in units of the largest",
    maxBufferedBodies,
    "503 with Retry-After",
  ),
  limit(forms, "nesting", maxJsonDepth),
  limit(forms, "objects and arrays", formLimits.containers),
  limit(forms, "members of objects", formLimits.members),
  limit(forms, "elements of arrays", formLimits.elements),
];
