/** A user, Tributary itself, a program with its own API key, or a collector with its token. */
type ActorKind = "user" | "system" | "service-key" | "collector";

/** The author of a change. The change is recorded under the actor's name and provider. */
export interface Actor {
  kind: ActorKind;
  /** Null for Tributary itself, and for a user who is not signed in. */
  name: string | null;
  /** The identity provider that the user signed in with; empty when there is none. */
  provider: string;
}

/** The actor of every request when sign-in is disabled. */
export const anonymous: Actor = { kind: "user", name: null, provider: "" };

/** The actor of ingestion and of background jobs. */
export const system: Actor = { kind: "system", name: null, provider: "" };
