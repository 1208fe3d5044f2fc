/** A header or trailer: its name in lower case, and its value. */
export type Field = [name: string, value: string];

interface Internals {
  addTrailers?(response: unknown, trailers: Field[]): void;
}

/**
 * Gives the answer to `request` trailers, which gRPC ends with. The runtime's HTTP/2 server can send
 * them, but only by an internal function (decision 0024). Does nothing for a request whose client has left.
 * Throws on a runtime that no longer has that function.
 */
export function withTrailers(request: Request, response: Response, trailers: Field[]): Response {
  const inner = hidden(request, "request");
  const answered = hidden(response, "response");
  // Null once the client has left.
  if (inner.external === null) return response;
  answered.external = inner.external;
  internals().addTrailers!(response, trailers);
  return response;
}

/** Throws when this runtime cannot send trailers, so that a server says so at its start. */
export function assertTrailers(): void {
  hidden(new Request("http://localhost"), "request");
  hidden(new Response(), "response");
  if (typeof internals().addTrailers !== "function") throw new Error(unable);
}

const unable = "this version of the runtime cannot send the trailers of gRPC";

function internals(): Internals {
  const runtime = Deno as unknown as { internal: symbol } & Record<symbol, Internals>;
  return runtime[runtime.internal] ?? {};
}

/** What the runtime keeps behind a request or a response. */
function hidden(owner: object, name: string): { external?: unknown } {
  const key = Object.getOwnPropertySymbols(owner).find(({ description }) => description === name);
  const found = key && (owner as Record<symbol, unknown>)[key];
  if (typeof found !== "object" || found === null) throw new Error(unable);
  return found;
}
