import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { NameInput } from "#contract/catalogue/inputs.ts";
import { Id } from "#contract/http.ts";

/** Maximum number of roles of an owner. */
export const maxRoles = 100;

/** Only the id is used; clients may send whole roles as other operations return them. */
const RoleRef = z.object({ id: Id });

/** `roles` absent or null: as they are; a new owner has none then. */
export const OwnerForm = z.object({
  name: NameInput,
  roles: boundedArray(RoleRef, maxRoles).nullish(),
}).openapi("OwnerFormData");
export type OwnerForm = z.output<typeof OwnerForm>;
