import type { CustomFetch } from "openid-client";
import { messageOf } from "#kit/errors.ts";
import { readUpTo } from "#platform/http/outbound.ts";
import { ProviderDown } from "#services/api/access/oauth2/failure.ts";
import { providerBytes } from "#services/api/access/oauth2/limits.ts";

/** Seconds that a provider may take for one answer. */
export const providerTimeout = 10;

/**
 * Sends a request to a provider and reads the complete response, up to a limit; redirects are not followed. Throws `ProviderDown` when it
 * does not answer or says that it cannot.
 */
export const askProvider: CustomFetch = async (url, options) => {
  const host = URL.parse(url)?.host ?? "the provider";
  let answer: Response;
  let body: Uint8Array;
  try {
    const signal = options.signal ?? AbortSignal.timeout(providerTimeout * 1_000);
    answer = await fetch(url, { ...options, signal, redirect: "manual" } as RequestInit);
    body = await readUpTo(answer, providerBytes);
  } catch (error) {
    throw new ProviderDown(`${host} does not answer: ${messageOf(error)}`, error);
  }
  const { status, headers } = answer;
  if (status >= 500 || status === 429) throw new ProviderDown(`${host} answers ${status}`);
  const empty = body.length === 0 || [204, 205, 304].includes(status);
  return new Response(empty ? null : body as BodyInit, { status, headers });
};
