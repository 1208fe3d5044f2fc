/** A person, the service itself, a program with a key of its own, or a collector with its token. */
export type ActorKind = "user" | "system" | "service-key" | "collector";

/** Who does something. What an actor changes is recorded under its name and provider. */
export interface Actor {
  kind: ActorKind;
  /** Null for the service itself, and for a user who did not sign in. */
  name: string | null;
  /** The identity provider that knows the user; empty where there is none. */
  provider: string;
}

/** Everyone where nobody signs in. */
export const anonymous: Actor = { kind: "user", name: null, provider: "" };

/** Ingestion and jobs. */
export const system: Actor = { kind: "system", name: null, provider: "" };
