import type { Actor } from "#contract/actor.ts";

/** Context of a request within the application. */
export type AppEnv = {
  Variables: { actor: Actor };
  /** Remote address of the request; absent where there is no socket. */
  Bindings: { client?: string };
};
