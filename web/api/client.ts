import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { components, paths } from "#web/api/paths.gen.ts";
import { ApiError, unreachable } from "#web/api/errors.ts";
import { request, type RequestOptions } from "#web/api/request.ts";

/** The shape of what the API answers, by its name in the OpenAPI document. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** Milliseconds after which a request times out. */
const timeoutMs = 30_000;

type Method = "get" | "post" | "put" | "patch" | "delete";
/** Paths that have an operation with the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: unknown } ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O } ? O
  : never;
/** What an operation takes: `{ params: { path, query }, body }`. */
export type Input<P extends keyof paths, M extends Method> = Fields<Operation<P, M>>;
type Fields<O> =
  & (O extends { parameters: infer Q } ? { params?: { [K in keyof Q]: Q[K] } } : unknown)
  & (O extends { requestBody?: { content: infer C } } ? { body?: C[keyof C] } : unknown);

type JsonOf<R> = R extends { content: { "application/json": infer J } } ? J : undefined;
/** What an operation answers when it is done. */
export type Output<P extends keyof paths, M extends Method> = Operation<P, M> extends
  { responses: infer R } ? JsonOf<R[Extract<200 | 201 | 204, keyof R>]>
  : never;

/** An answer with the headers that say how fresh and how whole it is. */
export interface Answer<T> {
  data: T;
  headers: Headers;
}

let refusal: (() => string) | undefined;
/** Searches are sent and change nothing; what one has viewed concerns nobody else. */
const harmless = /\/search(\/|$)|^\/api\/(favorites|recently-viewed)\//;

/** Has everything that changes something refused with this message; `undefined`: no more. */
export function refuseChanges(message: (() => string) | undefined): void {
  refusal = message;
}

/** Throws ApiError while changes are refused, unless this changes nothing. */
export function requireChangesAllowed(method: string, path: string): void {
  if (refusal && method !== "get" && !harmless.test(path)) throw new ApiError(refusal(), 403);
}

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
  const limits = [AbortSignal.timeout(timeoutMs), ...given.signal ? [given.signal] : []];
  const options = { ...given, signal: AbortSignal.any(limits) };
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
  const given = (input ?? {}) as RequestOptions;
  return queryOptions({
    queryKey: [path, given.params ?? null] as const,
    queryFn: async ({ signal }) => {
      const options = { ...given, signal } as Parameters<typeof ask<"get", P>>[2];
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
