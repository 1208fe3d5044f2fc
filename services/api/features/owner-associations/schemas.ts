import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { pageOf } from "#contract/catalogue/common.ts";
import { NameInput, OptionalName } from "#contract/catalogue/inputs.ts";
import { OwnerAssociationRequest } from "#contract/catalogue/people.ts";
import { Id } from "#contract/http.ts";

export const OwnerAssociationRequestList = pageOf(
  "OwnerAssociationRequestList",
  OwnerAssociationRequest,
);

const requestEvents = [
  "REQUEST_CREATED",
  "REQUEST_APPROVED",
  "REQUEST_DECLINED",
  "REQUEST_MANUALLY_APPROVED",
  "REQUEST_MANUALLY_DECLINED",
] as const;

/** A request as an event left it. */
const OwnerAssociationRequestActivity = OwnerAssociationRequest.extend({
  activity_id: Id,
  event_type: z.enum(requestEvents).openapi("OwnerAssociationRequestEvent"),
}).openapi("OwnerAssociationRequestActivity");
export const OwnerAssociationRequestActivityList = pageOf(
  "OwnerAssociationRequestActivityList",
  OwnerAssociationRequestActivity,
);

/** The published form may name roles; nobody gives them to himself, so there may be none here. */
export const OwnerRequestForm = z.object({
  name: NameInput,
  roles: boundedArray(
    z.unknown(),
    0,
    "must be absent or empty: those who manage owners give roles to the owner",
  ).nullish(),
}).openapi("OwnerAssociationRequestFormData");

export const answers = ["APPROVED", "DECLINED"] as const;
export type Answer = (typeof answers)[number];
export const AnswerForm = z.object({
  status: z.enum(answers, { error: `must be one of ${answers.join(", ")}` }),
}).openapi("OwnerAssociationRequestStatusFormData");

export const MappingForm = z.object({
  owner_id: Id,
  oidc_username: NameInput,
  provider: OptionalName,
}).openapi("UserOwnerMappingFormData");
export type MappingForm = z.output<typeof MappingForm>;

export const ProviderList = z.object({
  default_providers: z.array(z.string()).openapi({ description: "Names that are in common use" }),
  active_providers: z.array(z.string()).openapi({
    description: "Those that people can sign in with",
  }),
}).openapi("ProviderList");
