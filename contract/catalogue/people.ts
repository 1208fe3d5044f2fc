import { z } from "@hono/zod-openapi";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { Id, Timestamp } from "#contract/http.ts";
import { furtherPermissions, isPublished, permissions } from "#contract/permissions.ts";

export const Policy = z.object({ id: Id, name: z.string() }).openapi("Policy");
export const Role = z.object({ id: Id, name: z.string(), policies: z.array(Policy) })
  .openapi("Role");
export const AssociatedUser = z.object({
  oidc_username: optional(z.string()),
  provider: optional(z.string()),
}).openapi("AssociatedUser");

export const Owner = z.object({
  id: Id,
  name: z.string(),
  roles: optional(z.array(Role)),
  associated_user: optional(AssociatedUser),
}).openapi("Owner");

export const OwnerList = pageOf("OwnerList", Owner);

export const Permission = z.enum(permissions.filter(isPublished) as [string, ...string[]])
  .openapi("Permission");
export const FurtherPermission = z.enum(furtherPermissions).openapi("FurtherPermission");
/** `permissions` is present only for the caller: those that hold on every resource. */
export const Identity = z.object({
  username: z.string(),
  permissions: optional(z.array(Permission)),
}).openapi("Identity");
/** The caller's own identity; `further_permissions` are those that the published contract lacks. */
const CallerIdentity = Identity.extend({ further_permissions: z.array(FurtherPermission) })
  .openapi("CallerIdentity");
/** A user, with the owner that is linked to it. */
export const AssociatedOwner = z.object({ identity: Identity, owner: optional(Owner) })
  .openapi("AssociatedOwner");

export const OwnerAssociationRequestStatus = z.enum(["PENDING", "APPROVED", "DECLINED"])
  .openapi("OwnerAssociationRequestStatus");
/** A user's request to be bound to an owner; `roles` are those that the owner has now, null once it is gone. */
export const OwnerAssociationRequest = z.object({
  id: Id,
  username: z.string(),
  provider: optional(z.string()),
  owner_id: optional(Id),
  owner_name: z.string(),
  roles: optional(z.array(Role)),
  status: OwnerAssociationRequestStatus,
  status_updated_by: optional(AssociatedOwner),
  status_updated_at: optional(Timestamp),
}).openapi("OwnerAssociationRequest");

/**
 * The caller; `owner` is present when the caller is a user who is linked to one, `association_request` when it
 * has requested to be: the newest request.
 */
export const Whoami = z.object({
  identity: CallerIdentity,
  owner: Owner.optional(),
  association_request: OwnerAssociationRequest.optional(),
}).openapi("Whoami");

/** What a user may do everywhere or, where a resource was named, with that; `owner` is null for one who is bound to none. */
export const UserPermissions = z.object({
  username: z.string(),
  provider: optional(z.string()),
  owner: optional(Owner),
  permissions: z.array(Permission),
  further_permissions: z.array(FurtherPermission),
}).openapi("UserPermissions");

export const Title = z.object({ id: Id, name: z.string() }).openapi("Title");
export const TitleList = pageOf("TitleList", Title);
/** `external`: reported by the source of the entity, not set by a person. */
export const Ownership = z.object({
  id: Id,
  owner: Owner,
  title: optional(Title),
  external: z.boolean().optional(),
}).openapi("Ownership");
export const OwnershipList = z.array(Ownership).openapi("OwnershipList");
