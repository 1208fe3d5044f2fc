import type { Actor } from "#contract/actor.ts";

/** What a request carries through the application. */
export type AppEnv = {
  Variables: { actor: Actor };
  /** The address that the request came from; absent where there is no socket. */
  Bindings: { client?: string };
};
