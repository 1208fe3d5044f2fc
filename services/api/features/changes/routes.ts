import { z } from "@hono/zod-openapi";
import { enumListQuery, idListQuery, integerQuery, textQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { operation, type Reply, type Route, serve } from "#platform/operations/declare.ts";
import { openAccess } from "#services/api/access/service.ts";
import {
  following,
  type FollowLimits,
  longestWait,
  maxFollowedEntities,
} from "#services/api/features/changes/limits.ts";
import { ChangeEvent, changeTypes } from "#services/api/features/changes/schemas.ts";
import { ChangeHub, readOnce } from "#services/api/features/changes/service.ts";

const follow = operation({
  id: "getChanges",
  method: "get",
  path: "/api/changes",
  tag: "changes",
  access: "signed-in",
  summary: "Changes in the catalogue as server-sent events; resumes after `Last-Event-ID`",
  query: z.object({
    types: enumListQuery("types", [...changeTypes]),
    entity_id: idListQuery("entity_id", maxFollowedEntities),
    last_event_id: textQuery("last_event_id"),
    wait: integerQuery("wait", {
      min: 0,
      max: longestWait,
      description:
        "Seconds after which the answer ends; 0: with what there is. By default the maximum for a client that " +
        "accepts text/event-stream by name, and 0 for all others",
    }),
  }),
  responses: {
    200: {
      description: "Events; the schema is that of their `data`, the name that of its `kind`",
      contentType: "text/event-stream",
      schema: ChangeEvent,
    },
  },
});

const headers = { "cache-control": "no-store", "x-accel-buffering": "no" };
const contentType = "text/event-stream";

/** What routes of changes take next to the context. */
export interface ChangeOptions {
  access?: AccessControl;
  following?: FollowLimits;
}

/** The operation that streams changes; `stop` disconnects all clients. */
export function changeRoutes(
  context: Context,
  { access = openAccess(context), following: limits = following }: ChangeOptions = {},
): { routes: Route[]; stop: () => void; idle: () => Promise<void> } {
  const hub = new ChangeHub(context, access, limits);
  const route = serve(follow, async ({ query, request, actor }): Promise<Reply> => {
    const { types, entity_id, wait = defaultWait(request), last_event_id } = query;
    const filter = { types, entities: new Set(entity_id) };
    // A browser sends the header when it comes back by itself, later than the address was written.
    const last = request.headers.get("last-event-id") ?? last_event_id;
    const content = wait === 0
      ? await readOnce(context, filter, last, limits)
      : await hub.open({ actor, request, filter, last, wait });
    return { status: 200, headers, raw: { content, contentType } };
  });
  return { routes: [route], stop: () => hub.stop(), idle: () => hub.idle() };
}

/** A client that does not request events explicitly would wait for the end of an endless response. */
function defaultWait({ headers }: Request): number {
  return /\btext\/event-stream\b/i.test(headers.get("accept") ?? "") ? longestWait : 0;
}
