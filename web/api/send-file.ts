import { requireChangesAllowed } from "#web/api/client.ts";
import { ApiError, unreachable } from "#web/api/errors.ts";

/**
 * Sends a file as it is, read from the disk as it goes; `path` with its parameters filled in, from the root of the
 * service. `onProgress` hears the share that is sent, from 0 to 1. Answers the JSON of the service.
 *
 * @throws {ApiError} refused, or not reached (`status` 0)
 */
export function sendFile<Answer>(
  path: string,
  file: Blob,
  { type, onProgress, signal }: {
    type: string;
    onProgress?: (share: number) => void;
    signal?: AbortSignal;
  },
): Promise<Answer> {
  requireChangesAllowed("post", path);
  // `fetch` tells nothing of what is sent already.
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.open("POST", new URL(path.replace(/^\//, ""), document.baseURI));
    request.setRequestHeader("content-type", type);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = jsonOf(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as Answer);
      else reject(refusal(request, body));
    };
    request.onerror = () => reject(unreachable(undefined));
    request.onabort = () => reject(signal?.reason ?? unreachable(undefined));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function refusal(request: XMLHttpRequest, body: unknown): ApiError {
  const retry = request.getResponseHeader("retry-after");
  const headers = retry === null ? undefined : { "retry-after": retry };
  return ApiError.of(new Response(null, { status: request.status, headers }), body);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
