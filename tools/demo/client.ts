import type { Source } from "./catalogue/items.ts";
import type { DrawnStream } from "./draw.ts";

/** A group or an entity that was found in the catalogue. */
export interface FoundEntity {
  id: number;
  external_name: string;
}

export interface Lineage {
  upstream: DrawnStream;
  downstream: DrawnStream;
}

/** The public endpoints that the demonstration uses. Every call ends within 30 s. */
export interface DemoClient {
  registerSources(sources: Source[]): Promise<void>;
  /** Posts a whole source and returns `applied`, `stored` or `queued`. */
  post(source: Source): Promise<string>;
  find(catrn: string): Promise<FoundEntity>;
  lineage(
    id: number,
    direction: "upstream" | "downstream",
    depth: number,
    expanded: number[],
  ): Promise<Lineage>;
  /**
   * Sends anything else: an object as JSON, a text as CSV. Returns the answer's JSON; undefined for one of the statuses
   * in `expected`, and for an answer without a body.
   */
  // deno-lint-ignore no-explicit-any -- answers of every shape
  ask(method: string, path: string, body?: unknown, expected?: number[]): Promise<any>;
}

export function demoClient(url: string): DemoClient {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    expected: number[] = [],
  ): Promise<Response> => {
    const isText = typeof body === "string";
    const response = await fetch(new URL(path, url), {
      method,
      headers: { "content-type": isText ? "text/csv" : "application/json" },
      body: isText ? body : body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok && !expected.includes(response.status)) {
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    }
    return response;
  };
  return {
    async registerSources(sources) {
      const items = sources.map(({ catrn, name, description }) => ({ catrn, name, description }));
      await call("POST", "/ingestion/datasources", { items });
    },
    async post({ catrn, items }) {
      const response = await call("POST", "/ingestion/entities", {
        data_source_catrn: catrn,
        items,
      });
      return response.headers.get("x-ingestion-state") ?? "accepted";
    },
    async find(catrn) {
      const query = new URLSearchParams({ catrn, page: "1", size: "1" });
      const list = await (await call("GET", `/api/dataentities?${query}`)).json();
      if (!list.items[0]) throw new Error(`${catrn} is not in the catalogue`);
      return list.items[0];
    },
    async lineage(id, direction, depth, expanded) {
      const query = new URLSearchParams({ lineage_depth: String(depth) });
      for (const group of expanded) query.append("expanded_entity_ids", String(group));
      const path = `/api/dataentities/${id}/lineage/${direction}?${query}`;
      return await (await call("GET", path)).json();
    },
    async ask(method, path, body, expected) {
      const response = await call(method, path, body, expected);
      const text = await response.text();
      return response.ok && text !== "" ? JSON.parse(text) : undefined;
    },
  };
}
