import { z } from "@hono/zod-openapi";
import type { ActivityEventType } from "#contract/activity.ts";
import { idParam, PageInfo, pageQueryWithDefaults } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import {
  ok,
  operation,
  type PermissionAccess,
  type Route,
  serve,
} from "#platform/operations/declare.ts";
import { termOfPath } from "#services/api/access/resources.ts";
import { openAccess } from "#services/api/access/service.ts";
import * as service from "#services/api/features/merging/service.ts";

/** What names are of. */
const nameKinds = ["NAMESPACE", "OWNER", "TAG", "TERM"] as const;

const Spelling = z.object({ id: z.number().int(), name: z.string() }).openapi("NameSpelling");

/** A name and what was merged into it. */
const MergedName = z.object({
  id: z.number().int(),
  name: z.string(),
  merged: z.array(Spelling),
}).openapi("MergedName");

/** Several stored spellings of one name; of terms, `name` is `namespace:term`. */
const DuplicateName = z.object({
  kind: z.enum(nameKinds),
  spellings: z.array(Spelling),
}).openapi("DuplicateName");

const DuplicateNameList = z.object({ items: z.array(DuplicateName), page_info: PageInfo })
  .openapi("DuplicateNameList");

const listSpec = operation({
  id: "getDuplicateNames",
  method: "get",
  path: "/api/names/duplicates",
  tag: "names",
  summary:
    "Namespaces, owners, tags and terms that are stored in several spellings (case, Unicode normal form) of one name",
  access: "signed-in",
  query: z.object(pageQueryWithDefaults),
  responses: { 200: { description: "One page", schema: DuplicateNameList } },
});

const common = (id: string, summary: string, activity: ActivityEventType[]) => ({
  id,
  method: "post" as const,
  summary: `${summary} Repeating it changes nothing`,
  activity,
  responses: { 200: { description: "The name, and the names merged into it", schema: MergedName } },
});
const manages = (permission: "NAMESPACE_UPDATE" | "OWNER_UPDATE" | "TAG_UPDATE") =>
  ({ permission, on: "MANAGEMENT" }) satisfies PermissionAccess<unknown>;

const namespaces = operation({
  ...common(
    "mergeNamespaces",
    "Merge all spellings of a namespace into this one; needs NAMESPACE_DELETE as well.",
    ["CUSTOM_GROUP_UPDATED"],
  ),
  tag: "namespace",
  path: "/api/namespaces/{namespace_id}/merge",
  access: manages("NAMESPACE_UPDATE"),
  params: z.object({ namespace_id: idParam("namespace_id") }),
});
const owners = operation({
  ...common(
    "mergeOwners",
    "Merge all spellings of an owner, with their roles and user, into this one; needs OWNER_DELETE as well.",
    ["OWNERSHIP_UPDATED"],
  ),
  tag: "owner",
  path: "/api/owners/{owner_id}/merge",
  access: manages("OWNER_UPDATE"),
  params: z.object({ owner_id: idParam("owner_id") }),
});
const tags = operation({
  ...common("mergeTags", "Merge all spellings of a tag into this one; needs TAG_DELETE as well.", [
    "TAG_ASSIGNMENT_UPDATED",
    "DATASET_FIELD_TAGS_UPDATED",
  ]),
  tag: "tag",
  path: "/api/tags/{tag_id}/merge",
  access: manages("TAG_UPDATE"),
  params: z.object({ tag_id: idParam("tag_id") }),
});
const terms = operation({
  ...common(
    "mergeTerms",
    "Merge all spellings of a term into this one, which keeps its definition; needs TERM_DELETE on the others as well.",
    ["TERM_ASSIGNMENT_UPDATED", "DATASET_FIELD_TERM_ASSIGNMENT_UPDATED"],
  ),
  tag: "term",
  path: "/api/terms/{term_id}/merge",
  access: { permission: "TERM_UPDATE", on: "TERM", of: termOfPath },
  params: z.object({ term_id: idParam("term_id") }),
});

/** The operations that find and merge names which are stored in several spellings. */
export function mergingRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  const deps = { db: context.db, log: context.log, authorizer };
  return [
    serve(listSpec, ({ query }) => service.listDuplicates(context, query)),
    serve(namespaces, async ({ params, actor }) => {
      return ok(await service.mergeNamespaces(deps, actor, params.namespace_id));
    }),
    serve(
      owners,
      async ({ params, actor }) => ok(await service.mergeOwners(deps, actor, params.owner_id)),
    ),
    serve(
      tags,
      async ({ params, actor }) => ok(await service.mergeTags(deps, actor, params.tag_id)),
    ),
    serve(
      terms,
      async ({ params, actor }) => ok(await service.mergeTerms(deps, actor, params.term_id)),
    ),
  ];
}
