import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { Id } from "#contract/http.ts";

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
export const Title = z.object({ id: Id, name: z.string() }).openapi("Title");
export const Ownership = z.object({ id: Id, owner: Owner, title: optional(Title) })
  .openapi("Ownership");
export const OwnershipList = z.array(Ownership).openapi("OwnershipList");
