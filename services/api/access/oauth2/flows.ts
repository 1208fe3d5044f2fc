import { Buffer } from "node:buffer";
import { randomPKCECodeVerifier, randomState } from "openid-client";
import { z } from "zod";
import type { OwnedValues } from "#cache/port.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import { parseStored } from "#services/api/access/parse-stored.ts";
import { flowMs } from "#services/api/access/oauth2/limits.ts";

const Flow = z.object({
  provider: z.string(),
  /** Bound to the ID token. */
  nonce: z.string(),
  /** Bound to the code (PKCE). */
  verifier: z.string(),
  returnTo: z.string().optional(),
  /** SHA-256 of what only the browser that began knows. */
  browser: z.string(),
});
/** Somebody's way to a provider and back. */
export type Flow = z.output<typeof Flow>;

const digest = (text: string) => Buffer.from(digestOf(text)).toString("hex");
const keyOf = (state: string) => `oauth2:flow:${digest(state)}`;

/** What a `state` looks like; anything else is not looked up. */
const stateForm = /^[A-Za-z0-9_-]{43}$/;

/**
 * Ways that have begun, kept where they may end at another replica, and where each network has its share: strangers begin
 * them. Each ends once.
 */
export class Flows {
  constructor(private readonly store: OwnedValues) {}

  /** Begins one for a browser of a network; `state` comes back with it. Throws 503 when it cannot be stored. */
  async begin(
    network: string,
    given: { provider: string; returnTo?: string; browser: string },
  ): Promise<{ state: string; flow: Flow }> {
    const state = randomState();
    const secrets = { nonce: randomState(), verifier: randomPKCECodeVerifier() };
    const flow = { ...given, ...secrets, browser: digest(given.browser) };
    await this.store.put(network, keyOf(state), JSON.stringify(flow), flowMs);
    return { state, flow };
  }

  /** Ends one; undefined when it never began, has ended already, or took too long. Throws 503. */
  async end(state: string | null): Promise<Flow | undefined> {
    if (state === null || !stateForm.test(state)) return undefined;
    const text = await this.store.take(keyOf(state));
    return text === null ? undefined : parseStored(Flow, text);
  }
}

/** Whether a flow was begun by the browser that knows `secret`. */
export function isOf(flow: Flow, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  return sameDigest(Buffer.from(flow.browser, "hex"), digestOf(secret));
}
