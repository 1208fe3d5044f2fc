import type { Source } from "./catalogue/items.ts";

/** A group or an entity that was found in the catalogue. */
interface FoundEntity {
  id: number;
  external_name: string;
}

/** The operations by which the demonstration is loaded; each call ends within 30 s. */
export interface DemonstrationClient {
  registerSources(sources: Source[]): Promise<void>;
  /** Posts a whole source and returns `applied`, `stored` or `queued`. */
  post(source: Source): Promise<string>;
  find(catrn: string): Promise<FoundEntity>;
  /**
   * Sends anything else: an object as JSON, a text as CSV. Returns the answer's JSON; undefined for one of the statuses
   * in `expected`, and for an answer without a body.
   */
  // deno-lint-ignore no-explicit-any -- answers of every shape
  ask(method: string, path: string, body?: unknown, expected?: number[]): Promise<any>;
}

/** An answer as far as the demonstration reads it; `text` is empty without a body. */
interface CallAnswer {
  status: number;
  header(name: string): string | null;
  text(): Promise<string>;
}

/** Calls an operation: an object is sent as JSON, a text as CSV. */
export type Call = (method: string, path: string, body?: unknown) => Promise<CallAnswer>;

/** The client over a way to call operations. Statuses of 400 and above throw, but for those that are expected. */
export function demonstrationClient(call: Call): DemonstrationClient {
  const checked = async (
    method: string,
    path: string,
    body?: unknown,
    expected: number[] = [],
  ): Promise<CallAnswer> => {
    const answer = await call(method, path, body);
    if (answer.status >= 400 && !expected.includes(answer.status)) {
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    }
    return answer;
  };
  return {
    async registerSources(sources) {
      const items = sources.map(({ catrn, name, description }) => ({ catrn, name, description }));
      await checked("POST", "/ingestion/datasources", { items });
    },
    async post({ catrn, items }) {
      const batch = { data_source_catrn: catrn, items };
      const answer = await checked("POST", "/ingestion/entities", batch);
      return answer.header("x-ingestion-state") ?? "accepted";
    },
    async find(catrn) {
      const query = new URLSearchParams({ catrn, page: "1", size: "1" });
      const answer = await checked("GET", `/api/dataentities?${query}`);
      const list = JSON.parse(await answer.text());
      if (!list.items[0]) throw new Error(`${catrn} is not in the catalogue`);
      return list.items[0];
    },
    async ask(method, path, body, expected) {
      const answer = await checked(method, path, body, expected);
      const text = await answer.text();
      return answer.status < 400 && text !== "" ? JSON.parse(text) : undefined;
    },
  };
}
