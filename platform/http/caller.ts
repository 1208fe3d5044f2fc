import { type Permission, permissions } from "#contract/permissions.ts";

/** Whoever a request acts for. */
export interface Caller {
  /** Null for an anonymous caller; recorded in the activity feed and on status changes. */
  username: string | null;
  /** The identity provider that knows the user; empty when there is none. */
  provider: string;
  /** Permissions that hold whatever the resource (management scope; all under DISABLED). */
  permissions: readonly Permission[];
}

/** Everyone, under `auth.type=DISABLED`. */
export const anonymousAdmin: Caller = { username: null, provider: "", permissions };
