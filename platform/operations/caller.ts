import type { Actor } from "#contract/actor.ts";

/** The caller of a request, by its credentials. Stored actors have name and provider only. */
export interface Caller extends Actor {
  /** Whether the identity provider, or the configuration, holds this user for an administrator. */
  admin?: boolean;
  /** Set for a personal token that may only read. */
  readOnly?: boolean;
  /** The credential; none: not signed in. */
  credential?: "session" | "personal-token" | "service-key" | "collector-token";
  /** What a collector's token was given to. */
  tokenOf?: { kind: "collector" | "data_source"; id: number };
  /** Remote address; absent where there is no connection. */
  address?: string;
}
