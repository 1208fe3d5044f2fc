/** A difference of the interface (see `interface.ts`), and why it is meant. */
export interface AcceptedDifference {
  difference: string;
  why: string;
}

const nothing = "a form without it asks for nothing";

/** All differences that are meant. A test holds that there are no others, and that each of these is one. */
export const accepted: readonly AcceptedDifference[] = [
  {
    difference: "createOwnerAssociationRequest: the body is no OwnerFormData",
    why: "a form of its own, without roles: nobody gives himself a role",
  },
  { difference: "getPolicySchema: the answer is no str", why: "it is an object in both" },
  { difference: "Activity: data_entity may be missing", why: "an alert may be of no entity" },
  {
    difference: "ActivityEventType: DATA_SOURCE_UPDATED is not published",
    why: "somebody may have taken the entity",
  },
  { difference: "AlertStatusFormData: status is required", why: nothing },
  {
    difference: "AlertType: DATA_SOURCE_CONNECTION_ERROR is not published",
    why: "alerts about data sources are of a type of their own",
  },
  { difference: "AlertType: AGENT_ERROR is not published", why: "as above" },
  {
    difference: "AssociatedOwner: association_request is missing",
    why: "whoami returns it; it is not needed in activity",
  },
  {
    difference: "DataEntityDataEntityGroupFormData: data_entity_group_id is required",
    why: nothing,
  },
  {
    difference: "DataEntityGroupFormData: entities is no DataEntityRefList",
    why: "of each member only the id is looked at",
  },
  { difference: "DataEntityStatusFormData: status is required", why: nothing },
  {
    difference: "DataSourceFormData: catrn is required",
    why: "it is refused there, too, when it is empty",
  },
  {
    difference: "Feature: GENAI is not published",
    why: "the web interface shows Ask only where somebody answers",
  },
  { difference: "GenAIRequest: body is required", why: nothing },
  { difference: "OwnerAssociationRequestStatusFormData: status is required", why: nothing },
  {
    difference: "OwnerFormData: roles is no Role[]",
    why: "of each role only the id is looked at",
  },
  { difference: "OwnershipFormData: owner_name is required", why: nothing },
  {
    difference: "RoleFormData: policies is no Policy[]",
    why: "of each policy only the id is looked at",
  },
  { difference: "UserOwnerMappingFormData: owner_id is required", why: nothing },
  { difference: "UserOwnerMappingFormData: oidc_username is required", why: nothing },
  {
    difference: "redirect: status 301 is not answered",
    why: "302, as there at run time: a page may move",
  },
];
