import { type Limit, limit } from "#kit/limits.ts";
import { maxMembers } from "./schemas.ts";

/** Limits of manually created groups. */
export const groupLimits: Limit[] = [limit("groups created by users", "members", maxMembers)];
