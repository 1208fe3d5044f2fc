import { type Limit, limit } from "#kit/limits.ts";
import { maxMembers } from "./schemas.ts";

/** What a group made by hand may hold. */
export const groupLimits: Limit[] = [limit("groups made by hand", "members", maxMembers)];
