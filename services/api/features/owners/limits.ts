import { type Limit, limit } from "#kit/limits.ts";
import { maxRoles } from "./schemas.ts";

/** Limits of owners. */
export const ownerLimits: Limit[] = [limit("owners", "roles", maxRoles)];
