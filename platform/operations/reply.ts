/** `json` is text that is sent as it is (finished by the database), `body` is serialised. */
export interface Reply {
  status: number;
  body?: unknown;
  json?: string;
  /** Anything else, with its content type; a stream is sent as it comes. */
  raw?: { content: Uint8Array | string | ReadableStream<Uint8Array>; contentType: string };
  headers?: Record<string, string>;
}

export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  body,
  headers,
});

export const okJson = (json: string, headers?: Record<string, string>): Reply => ({
  status: 200,
  json,
  headers,
});

export const noContent = (): Reply => ({ status: 204 });
