import type { TraceExport } from "./spans.ts";

export interface Receiver {
  /** Address of the OTLP/HTTP receiver, such as `http://127.0.0.1:4318`. */
  url: string;
  token?: string;
}

/**
 * Sends traces as an exporter does. Returns false when nothing listens there; throws when they are refused.
 */
export async function sendTraces({ url, token }: Receiver, traces: TraceExport): Promise<boolean> {
  const response = await fetch(new URL("/v1/traces", url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(traces),
    signal: AbortSignal.timeout(30_000),
  }).catch((error) => {
    if (error instanceof TypeError) return null;
    throw error;
  });
  if (response === null) return false;
  const answer = await response.text();
  if (!response.ok) throw new Error(`POST ${url}/v1/traces: ${response.status} ${answer}`);
  return true;
}
