import {
  type Call,
  type DemonstrationClient,
  demonstrationClient,
} from "#platform/demonstration/client.ts";
import type { DrawnStream } from "./draw.ts";

export interface Lineage {
  upstream: DrawnStream;
  downstream: DrawnStream;
}

/** The public endpoints that the command uses. Every call ends within 30 s. */
export interface DemoClient extends DemonstrationClient {
  lineage(
    id: number,
    direction: "upstream" | "downstream",
    depth: number,
    expanded: number[],
  ): Promise<Lineage>;
}

export function demoClient(url: string): DemoClient {
  const client = demonstrationClient(overHttp(url));
  return {
    ...client,
    async lineage(id, direction, depth, expanded) {
      const query = new URLSearchParams({ lineage_depth: String(depth) });
      for (const group of expanded) query.append("expanded_entity_ids", String(group));
      return await client.ask("GET", `/api/dataentities/${id}/lineage/${direction}?${query}`);
    },
  };
}

function overHttp(url: string): Call {
  return async (method, path, body) => {
    const isText = typeof body === "string";
    const response = await fetch(new URL(path, url), {
      method,
      headers: { "content-type": isText ? "text/csv" : "application/json" },
      body: isText ? body : body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      text: () => response.text(),
    };
  };
}
