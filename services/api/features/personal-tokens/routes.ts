import { z } from "@hono/zod-openapi";
import { idParam, pageQueryWithDefaults } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import {
  PersonalToken,
  PersonalTokenForm,
  PersonalTokenList,
  UserQuery,
} from "#services/api/features/personal-tokens/service.ts";
import { storedProvider } from "#services/api/access/callers/person.ts";
import * as service from "#services/api/features/personal-tokens/service.ts";

const common = {
  tag: "identity",
  access: "signed-in" as const,
  path: "/api/identity/tokens",
  activity: { none: "the feed contains changes of entities; tokens are audited" },
  secret: true,
};

const listSpec = operation({
  ...common,
  id: "getPersonalTokens",
  method: "get",
  summary: "The caller's own tokens by name, without their values",
  query: z.object(pageQueryWithDefaults),
  responses: { 200: { description: "One page", schema: PersonalTokenList } },
});

const mintSpec = operation({
  ...common,
  id: "createPersonalToken",
  method: "post",
  summary: "Create a personal token for scripts; only this response contains it",
  body: PersonalTokenForm,
  responses: { 200: { description: "The token", schema: PersonalToken } },
});

const revokeSpec = operation({
  ...common,
  id: "deletePersonalToken",
  method: "delete",
  path: `${common.path}/{token_id}`,
  summary: "Revoke one of the caller's own tokens",
  params: z.object({ token_id: idParam("token_id") }),
  responses: { 204: { description: "Revoked; it works nowhere two seconds later" } },
});

const revokeAllSpec = operation({
  ...common,
  id: "deletePersonalTokensOfUser",
  method: "delete",
  summary: "Revoke all tokens of a user, such as one who leaves",
  access: { permission: "OWNER_RELATION_MANAGE", on: "MANAGEMENT" },
  query: UserQuery,
  responses: { 204: { description: "Revoked; they work nowhere two seconds later" } },
  errors: [404],
});

/** The operations on tokens of people. */
export function personalTokenRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query, actor }) => service.listTokens(context, actor, query)),
    serve(mintSpec, ({ body, actor }) => service.mintToken(context, actor, body)),
    serve(revokeSpec, ({ params, actor }) => service.revokeToken(context, actor, params.token_id)),
    serve(revokeAllSpec, async ({ query, actor }) => {
      const person = { username: query.username, provider: storedProvider(query.provider) };
      await service.revokeTokensOf(context, actor, person);
    }),
  ];
}
