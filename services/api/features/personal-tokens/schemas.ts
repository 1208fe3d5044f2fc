import { z } from "@hono/zod-openapi";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { NameInput } from "#contract/catalogue/forms.ts";
import { Id, Timestamp } from "#contract/http.ts";
import { Instant } from "#contract/ingestion/values.ts";

const Scope = z.enum(["READ", "ALL"]).openapi("PersonalTokenScope", {
  description: "READ: may only read. ALL: may do whatever its owner may",
});

export const PersonalToken = z.object({
  id: Id,
  name: z.string(),
  value: optional(z.string()).openapi({
    description: "The token, only in the response that creates it; otherwise null",
  }),
  hint: z.string().openapi({ description: "Its last four characters" }),
  scope: Scope,
  created_at: Timestamp,
  expires_at: optional(Timestamp),
  last_used_at: optional(Timestamp).openapi({ description: "To the minute" }),
}).openapi("PersonalToken");
export const PersonalTokenList = pageOf("PersonalTokenList", PersonalToken);

/** Strict, so that a misspelt `scope` gives no token that may do everything. */
export const PersonalTokenForm = z.strictObject({
  name: NameInput,
  expires_at: Instant.nullish().openapi({ type: ["string", "null"], format: "date-time" }),
  scope: Scope.default("ALL"),
}).openapi("PersonalTokenFormData");
export type PersonalTokenForm = z.output<typeof PersonalTokenForm>;

/** A user, as for binding one to an owner. */
export const UserQuery = z.object({
  username: NameInput.openapi({
    param: { name: "username", in: "query", required: true, description: "Name of the user" },
    type: "string",
  }),
  provider: searchQuery(
    "provider",
    "The user's identity provider; absent or LOGIN_FORM: a user of the configuration",
  ),
});
