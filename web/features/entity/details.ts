import type { Schema } from "#web/api/client.ts";
import type { Permission } from "#web/components/permissions.ts";

/** What the cards of the overview get. */
export interface CardOf {
  of: Details;
  can: (permission: Permission) => boolean;
}

export type Details = Schema<"DataEntityDetails">;
