import type { Permission } from "#web/components/permissions.ts";
import type { Details } from "#web/features/entity/details.ts";

/** What the cards of the overview get. */
export interface CardOf {
  of: Details;
  can: (permission: Permission) => boolean;
}
