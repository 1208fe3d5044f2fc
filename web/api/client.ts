import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, unreachable } from "#web/api/errors.ts";
import type { components, paths } from "#web/api/paths.gen.ts";

/** The shape of what the API answers, by its name in the OpenAPI document. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

type Method = "get" | "post" | "put" | "patch" | "delete";
/** Paths that have an operation with the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: unknown } ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O } ? O
  : never;
/** What an operation takes: `{ path, query, body }`. */
export type Input<P extends keyof paths, M extends Method> = Fields<Operation<P, M>>;
type Fields<O> =
  & (O extends { parameters: infer Q } ? Pick<Q, keyof Q & ("path" | "query")> : unknown)
  & (O extends { requestBody?: { content: infer C } } ? { body?: C[keyof C] } : unknown);

type JsonOf<R> = R extends { content: { "application/json": infer J } } ? J : undefined;
/** What an operation answers when it is done. */
type Output<P extends keyof paths, M extends Method> = Operation<P, M> extends
  { responses: infer R } ? JsonOf<R[Extract<200 | 201 | 204, keyof R>]>
  : never;

/** An answer with the headers that say how fresh and how whole it is. */
interface Answer<T> {
  data: T;
  headers: Headers;
}

/** Milliseconds after which a request times out. */
const timeoutMs = 30_000;

/**
 * Calls an operation.
 *
 * @throws {ApiError} refused, or not reached (`status` 0)
 */
export async function ask<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  input?: Input<P, M> & Pick<RequestOptions, "signal" | "headers">,
): Promise<Answer<Output<P, M>>> {
  requireChangesAllowed(method, path);
  const given = (input ?? {}) as RequestOptions;
  const signals = [AbortSignal.timeout(timeoutMs), ...given.signal ? [given.signal] : []];
  const options = { ...given, signal: AbortSignal.any(signals) };
  const { response, body } = await request(method, path, options).catch((cause) => {
    if (given.signal?.aborted) throw cause;
    throw unreachable(cause);
  });
  if (!response.ok) throw ApiError.of(response, body);
  return { data: body as Output<P, M>, headers: response.headers };
}

/**
 * The query of an operation that reads. Its key begins with the path template, so that `refresh` finds all queries
 * of a family; what was there stays while the next page is read.
 */
export function read<P extends PathOf<"get">>(path: P, input?: Input<P, "get">) {
  return queryOptions({
    queryKey: [path, input ?? null] as const,
    queryFn: async ({ signal }) => {
      const options = { ...input as object, signal } as Parameters<typeof ask<"get", P>>[2];
      return (await ask("get", path, options)).data;
    },
    placeholderData: keepPreviousData,
  });
}

/** Does something: the function for a mutation. */
export async function send<M extends Exclude<Method, "get">, P extends PathOf<M>>(
  method: M,
  path: P,
  input?: Input<P, M>,
): Promise<Output<P, M>> {
  return (await ask(method, path, input as Parameters<typeof ask<M, P>>[2])).data;
}

/** Reads again everything whose path begins with one of `prefixes`, if a screen shows it; the rest when it does. */
export async function refresh(queries: QueryClient, ...prefixes: string[]): Promise<void> {
  await queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === "string" && prefixes.some((prefix) => path.startsWith(prefix)),
  });
}

/** Reads again what a screen shows as failed, once the service answers again. */
export async function retryFailed(queries: QueryClient): Promise<void> {
  await queries.refetchQueries({
    type: "active",
    predicate: ({ state }) => state.status === "error",
  });
}

/** What a refused change says; undefined while changes are allowed. */
let refusal: (() => string) | undefined;
/** Searches are sent and change nothing; what one has viewed concerns nobody else. */
const harmlessPaths = /\/search(\/|$)|^\/api\/(favorites|recently-viewed)\//;

/** Has everything that changes something refused with this message; `undefined`: no more. */
export function refuseChanges(message: (() => string) | undefined): void {
  refusal = message;
}

/** Throws ApiError while changes are refused, unless this changes nothing. */
export function requireChangesAllowed(method: string, path: string): void {
  if (refusal && method !== "get" && !harmlessPaths.test(path)) throw new ApiError(refusal(), 403);
}

interface RequestOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  /** Sent as JSON, or as it is where it is a form. */
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** An answer of the API: its JSON, undefined if it has none or is invalid. */
interface ApiResponse {
  response: Response;
  body: unknown;
}

/** Where the API is, without a slash at the end. */
const base = new URL(".", document.baseURI).href.replace(/\/$/, "");

/** Sends a request; `path` has its parameters in braces. Throws what `fetch` throws. */
export async function request(
  method: string,
  path: string,
  options: RequestOptions,
): Promise<ApiResponse> {
  const { query, body, signal, headers } = options;
  const isForm = body instanceof FormData;
  const response = await fetch(base + withPath(path, options.path) + queryOf(query), {
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
