import { gzipSync } from "node:zlib";

/** What an entrance answered; status 0: nothing, with the reason in `text`. */
export interface ServerResponse {
  status: number;
  text: string;
  headers: Headers;
}

export interface RequestOptions {
  method?: string;
  body?: string | Uint8Array;
  /** `application/json` unless told. */
  type?: string;
  /** Compresses the body. */
  gzip?: boolean;
  headers?: Record<string, string>;
  /** Milliseconds until it gives up. */
  within?: number;
}

/** Sends one request, POST unless told; a connection that breaks is an answer too. */
export async function send(url: string, sent: RequestOptions): Promise<ServerResponse> {
  const { method = "POST", type = "application/json", gzip = false, within = 60_000 } = sent;
  const body = sent.body !== undefined && gzip ? gzipSync(sent.body, { level: 1 }) : sent.body;
  try {
    const response = await fetch(url, {
      method,
      body: body as BodyInit,
      headers: {
        ...(body === undefined ? {} : { "content-type": type }),
        ...(gzip && { "content-encoding": "gzip" }),
        ...sent.headers,
      },
      signal: AbortSignal.timeout(within),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch (error) {
    return { status: 0, text: String(error), headers: new Headers() };
  }
}

/**
 * What is wrong with an answer, or null: no answer at all, a 5xx that nobody wrote on purpose, or a
 * status that the operation does not declare.
 */
export function faultOf(
  { status, text, headers }: ServerResponse,
  declared?: number[],
): string | null {
  if (status === 0) return `no answer: ${text}`;
  if (declared && !declared.includes(status)) return `${status} is not declared: ${cut(text)}`;
  if (status < 500) return null;
  if (status === 503) return headers.has("retry-after") ? null : "503 without Retry-After";
  if (status === 500 && /"code":"SYS001"/.test(text) && !/Internal Server Error/.test(text)) {
    return null;
  }
  return `${status}: ${cut(text)}`;
}

const cut = (text: string) => text.slice(0, 200);
