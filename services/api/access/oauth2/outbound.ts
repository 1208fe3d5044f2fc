import type { CustomFetch } from "openid-client";
import { messageOf } from "#kit/errors.ts";
import { ProviderDown } from "#services/api/access/oauth2/failure.ts";
import { providerBytes } from "#services/api/access/oauth2/limits.ts";

/** Seconds that a provider may take for one answer. */
export const providerTimeout = 10;

/**
 * Asks a provider and reads its answer whole, up to a limit; redirects are not followed. Throws `ProviderDown` when it
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

async function readUpTo(answer: Response, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > most) throw new Error(`its answer is larger than ${most} bytes`);
    parts.push(part);
  }
  const whole = new Uint8Array(size);
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}
