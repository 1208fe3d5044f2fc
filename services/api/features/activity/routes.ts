import { z } from "@hono/zod-openapi";
import { activityEventTypes } from "#contract/activity.ts";
import {
  Activity,
  ActivityCountInfo,
  ActivityGroupList,
  ActivityUserList,
} from "#contract/catalogue/activity.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import {
  enumQuery,
  idListQuery,
  idParam,
  idQuery,
  integerQuery,
  maxPageSize,
  maxParameterList,
  pageQuery,
  textListQuery,
  textsQuery,
  timeQuery,
} from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import * as service from "#services/api/features/activity/service.ts";
import { ownerViews } from "#services/api/features/owned/service.ts";

const reading = { method: "get", tag: "activity", access: "signed-in" } as const;

const period = {
  begin_date: timeQuery("begin_date", { required: true }),
  end_date: timeQuery("end_date", { required: true }),
};
const acting = {
  user_ids: idListQuery("user_ids"),
  usernames: textListQuery("usernames"),
  username: textsQuery(
    "username",
    maxParameterList,
    "The name of one user, exactly as it is: it may hold commas. Repeat it for several",
  ),
  event_type: enumQuery("event_type", [...activityEventTypes]),
};
const filters = {
  ...period,
  datasource_id: idQuery("datasource_id"),
  namespace_id: idQuery("namespace_id"),
  tag_ids: idListQuery("tag_ids"),
  owner_ids: idListQuery("owner_ids"),
  ...acting,
};
const portion = {
  last_event_id: idQuery("last_event_id"),
  last_event_date_time: timeQuery("last_event_date_time"),
  size: integerQuery("size", { min: 1, max: maxPageSize, required: true }),
};

/** A cursor needs both the time and the id of an event; one without the other is an error. */
const wholeCursor = (query: service.PortionQuery, context: z.RefinementCtx) => {
  const missing = query.last_event_id === undefined ? "last_event_id" : "last_event_date_time";
  if ((query.last_event_id === undefined) === (query.last_event_date_time === undefined)) return;
  context.addIssue({ code: "custom", path: [missing], message: "is required with the other" });
};

const list = operation({
  ...reading,
  id: "getActivity",
  path: "/api/activity",
  summary: "What happened, newest first",
  query: z.object({
    ...filters,
    type: enumQuery("type", [...ownerViews]),
    ...portion,
  }).superRefine(wholeCursor),
  responses: { 200: { description: "The events after the last one", schema: z.array(Activity) } },
});

const groups = operation({
  ...reading,
  id: "getActivityGroups",
  path: "/api/activity/groups",
  summary: "What happened lately, newest first, with the events of a batch as one",
  query: z.object({ size: integerQuery("size", { min: 1, max: service.maxGroups, default: 10 }) }),
  responses: { 200: { description: "The newest groups", schema: ActivityGroupList } },
});

const counts = operation({
  ...reading,
  id: "getActivityCounts",
  path: "/api/activity/counts",
  summary: "Number of events in each view",
  query: z.object(filters),
  responses: { 200: { description: "The numbers", schema: ActivityCountInfo } },
});

const users = operation({
  ...reading,
  id: "getActivityUsers",
  path: "/api/activity/users",
  summary: "The user who made the change, by name",
  query: z.object({
    query: searchQuery("query", "Part of a user's or owner's name"),
    ...pageQuery,
  }),
  responses: { 200: { description: "One page", schema: ActivityUserList } },
});

const ofEntity = operation({
  ...reading,
  id: "getDataEntityActivity",
  path: "/api/dataentities/{data_entity_id}/activity",
  tag: "dataEntity",
  summary: "What happened to an entity, newest first",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  query: z.object({ ...period, ...acting, ...portion }).superRefine(wholeCursor),
  responses: { 200: { description: "The events after the last one", schema: z.array(Activity) } },
});

/** Operations of the activity feed: who changed what, including automatic changes of the service. */
export function activityRoutes(context: Context): Route[] {
  return [
    serve(list, async ({ query: { type = "ALL", ...query }, actor }) => {
      return ok(await service.listActivity(context, actor, type, query));
    }),
    serve(groups, ({ query }) => service.listGroups(context, query.size)),
    serve(counts, async ({ query, actor }) => ok(await service.countViews(context, actor, query))),
    serve(users, ({ query }) => service.listUsers(context, query)),
    serve(ofEntity, async ({ params, query }) => {
      return ok(await service.listEntityActivity(context, params.data_entity_id, query));
    }),
  ];
}
