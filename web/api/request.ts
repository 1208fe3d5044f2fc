/** Where the API is, without a slash at the end. */
const base = new URL(".", document.baseURI).href.replace(/\/$/, "");

export interface RequestOptions {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  /** Sent as JSON, or as it is where it is a form. */
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** An answer of the API: its JSON, undefined if it has none or is invalid. */
export interface ApiResponse {
  response: Response;
  body: unknown;
}

/** Sends a request; `path` has its parameters in braces. Throws what `fetch` throws. */
export async function request(
  method: string,
  path: string,
  options: RequestOptions,
): Promise<ApiResponse> {
  const { params, body, signal, headers } = options;
  const isForm = body instanceof FormData;
  const response = await fetch(base + withPath(path, params?.path) + queryOf(params?.query), {
    method: method.toUpperCase(),
    signal,
    headers: body === undefined || isForm
      ? headers
      : { "content-type": "application/json", ...headers },
    body: body === undefined || isForm ? body : JSON.stringify(body),
  });
  const text = await response.text();
  try {
    return { response, body: text === "" ? undefined : JSON.parse(text) };
  } catch (cause) {
    // A proxy may refuse in words of its own; a truncated answer is invalid.
    if (response.ok) throw cause;
    return { response, body: undefined };
  }
}

/** The path with its parameters filled in. */
export function withPath(path: string, values: Record<string, unknown> = {}): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(values[name])));
}

/**
 * `?a=1&b=2,3&c=x&c=y`: lists of numbers are joined by commas, texts are repeated, since they may hold commas; what is
 * not given is left out.
 */
export function queryOf(values: Record<string, unknown> = {}): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    const some = [value].flat().filter((one) => one !== undefined && one !== null);
    const texts = some.map((one) => encodeURIComponent(String(one)));
    if (some.some((one) => typeof one === "string")) return texts.map((text) => `${name}=${text}`);
    return texts.length > 0 ? `${name}=${texts.join(",")}` : [];
  });
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}
