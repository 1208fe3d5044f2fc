import { Buffer } from "node:buffer";
import type { Actor } from "#contract/actor.ts";
import { networkOf } from "#kit/network.ts";
import { digestOf } from "#kit/secret.ts";

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

/**
 * Whose share a request uses where each caller has one: that of its name or, where nobody signs in, of its network. A
 * person has one share, with however many sessions and tokens.
 */
export function callerKey({ kind, name, provider, address }: Caller): string {
  return name === null ? `network ${networkOf(address ?? "")}` : `${kind} ${provider} ${name}`;
}

/** Whether somebody who signed in, or has a personal token, is calling: programs and collectors have no share of their own. */
export function isPerson({ credential }: Caller): boolean {
  return credential === "session" || credential === "personal-token";
}

/** The same for what is stored: nobody reads names or addresses from it. */
export function shareOf(caller: Caller): string {
  return Buffer.from(digestOf(callerKey(caller))).toString("hex").slice(0, 32);
}
