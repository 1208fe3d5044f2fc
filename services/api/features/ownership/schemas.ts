import { z } from "@hono/zod-openapi";
import { NameInput, OptionalName } from "#contract/catalogue/inputs.ts";

/** Maximum number of owners of a data entity or a term: every row of a list shows all of them. */
export { maxOwners } from "#contract/ingestion/limits.ts";

/** Maximum number of members that an ownership of a group is handed on to. */
export const maxPropagated = 100_000;

/** Hands the ownership on to the members too, if the entity is a group. */
const propagate = z.boolean().nullish();

/** Owner and title are known by name, and made if missing. */
export const OwnershipForm = z.object({
  owner_name: NameInput,
  title_name: OptionalName,
  propagate,
}).openapi("OwnershipFormData");
export type OwnershipForm = z.output<typeof OwnershipForm>;

/** `title_name` absent: as it is; null or blank: none. */
export const OwnershipUpdateForm = z.object({ title_name: OptionalName, propagate })
  .openapi("OwnershipUpdateFormData");
export type OwnershipUpdateForm = z.output<typeof OwnershipUpdateForm>;
