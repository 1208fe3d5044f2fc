import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ask, type Input, type PathOf } from "#web/api/client.ts";

interface Page<Row = unknown> {
  items?: Row[];
  page_info?: { total: number; hasNext: boolean };
}

/** Parameters of an operation but for those of the page, any of which may be undefined. */
type WithoutPage<Q> = { [K in Exclude<keyof Q, "page" | "size">]?: Q[K] | undefined };

/** What an operation that lists page by page takes: `{ path, query }`, without `page` and `size`. */
type PagedInput<P extends PathOf<"get">> =
  & Omit<Input<P, "get">, "query">
  & (Input<P, "get"> extends { query?: infer R } ? { query?: WithoutPage<R> } : unknown);

/** Rows of a page that is read at once. */
const rowsOfPage = 50;

/**
 * The query of an operation that lists page by page (`page`, `size`): for `useInfiniteQuery`. `page` and `size` of
 * `input` are not needed. `rowsOf` returns the loaded rows, `totalOf` their total.
 */
export function readPages<P extends PathOf<"get">>(
  path: P,
  input?: PagedInput<P>,
  size = rowsOfPage,
) {
  const given = input as { query?: object } | undefined;
  return infiniteQueryOptions({
    queryKey: [path, input ?? null, "pages", size] as const,
    queryFn: async ({ pageParam: page, signal }) => {
      const paged = { ...given, query: { ...given?.query, page, size }, signal };
      return (await ask("get", path, paged as unknown as Parameters<typeof ask<"get", P>>[2])).data;
    },
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) =>
      hasNext(last as Page | unknown[], size) ? page + 1 : undefined,
    placeholderData: keepPreviousData,
  });
}

/** The pages of an operation that lists page by page, as `readPages` has them. */
export function usePages<P extends PathOf<"get">>(...request: Parameters<typeof readPages<P>>) {
  return useInfiniteQuery(readPages(...request));
}

/** A plain array has no total: if it is full, more may follow. */
function hasNext(page: Page | unknown[], size: number): boolean {
  return Array.isArray(page) ? page.length === size : page.page_info?.hasNext ?? false;
}

/** Pages that have been read. */
export interface ReadPages<Row = unknown> {
  pages: (Row[] | Page<Row>)[];
}

/** All rows that have been read. What moved from one page to the next in between is there once. */
export function rowsOf<Row extends { id: unknown }>(read: ReadPages<Row> | undefined): Row[] {
  const rows = new Map<unknown, Row>();
  for (const page of read?.pages ?? []) {
    for (const row of Array.isArray(page) ? page : page.items ?? []) {
      if (!rows.has(row.id)) rows.set(row.id, row);
    }
  }
  return [...rows.values()];
}

/** How many rows there are on all pages, if the operation tells. */
export function totalOf(read: { pages: unknown[] } | undefined): number | undefined {
  return (read?.pages.at(-1) as Page | undefined)?.page_info?.total;
}
