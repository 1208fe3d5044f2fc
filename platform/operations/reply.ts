/** `json` is finished JSON text, sent unchanged (built by the database); `body` is serialised. */
export interface Reply {
  status: number;
  body?: unknown;
  json?: string;
  /** Content that is not JSON, with its content type; a stream is not buffered. */
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
