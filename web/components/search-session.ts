import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#web/api/errors.ts";

/** The operations of a search that the service keeps for a while. */
interface SearchOperations<Page> {
  create: (query: string) => Promise<{ search_id: string }>;
  change: (id: string, query: string) => Promise<unknown>;
  results: (id: string, page: number, signal: AbortSignal) => Promise<Page>;
}

/**
 * One search of the service for one screen. What is searched for stands in the address, so the service's search may
 * end at any time: another is made then. Questions are asked one after the other, so that each page belongs to its text.
 */
export class SearchSession<Page> {
  #id: string | undefined;
  #text: string | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly operations: SearchOperations<Page>) {}

  page(text: string, page: number, signal: AbortSignal): Promise<Page> {
    const request = this.#turn.then(async () => {
      signal.throwIfAborted();
      try {
        return await this.#read(text, page, signal);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        this.#id = undefined;
        return await this.#read(text, page, signal);
      }
    });
    this.#turn = request.catch(() => {});
    return request;
  }

  async #read(text: string, page: number, signal: AbortSignal): Promise<Page> {
    const { create, change, results } = this.operations;
    if (this.#id === undefined) this.#id = (await create(text)).search_id;
    else if (this.#text !== text) await change(this.#id, text);
    this.#text = text;
    return await results(this.#id, page, signal);
  }
}

/** The pages of what goes with a text. `prefix`: of the paths, so that `refresh` finds the query. */
export function useSearch<Page extends { page_info: { hasNext: boolean } }>(
  prefix: string,
  text: string,
  operations: SearchOperations<Page>,
) {
  const [session] = useState(() => new SearchSession(operations));
  return useInfiniteQuery({
    queryKey: [prefix, "search", text] as const,
    queryFn: ({ pageParam, signal }) => session.page(text, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => last.page_info.hasNext ? page + 1 : undefined,
    placeholderData: (before: { pages: Page[]; pageParams: number[] } | undefined) => before,
  });
}
