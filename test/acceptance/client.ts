import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Route } from "#platform/operations/declare.ts";
import { publishedRoutes } from "#services/api/openapi.ts";
import { contractOf } from "#test/support/http/contract.ts";
import type { Answer } from "#test/support/http/api.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  type EngineSet,
  engineSets,
  type Instance,
  type InstanceOptions,
  startInstance,
} from "#test/support/engines/instance.ts";

/**
 * A user of a whole Tributary over HTTP. Every answer is held to the operation's declaration and to
 * the documents that the instance itself publishes.
 */
export class Client {
  #contract?: ReturnType<typeof contractOf>;
  readonly #routes: Route[] = publishedRoutes();

  constructor(readonly instance: Instance) {}

  get = (path: string, query?: Query) => this.send("GET", withQuery(path, query));
  post = (path: string, body?: unknown, headers?: HeadersInit) =>
    this.send("POST", path, body, headers);
  put = (path: string, body?: unknown) => this.send("PUT", path, body);
  delete = (path: string) => this.send("DELETE", path);

  /** Any request; a string body is sent as it is. */
  async send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Answer> {
    this.#contract ??= contractOf(this.#routes, {
      platform: await this.instance.json("/api/v3/api-docs/platform-api") as object,
      ingestion: await this.instance.json("/api/v3/api-docs/ingestion-api") as object,
    });
    const response = await this.instance.send(method, path, body, headers);
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      json: text === "" ? undefined : parsed(method, path, text),
    };
    this.#contract(method, path, answer, typeof body === "string" ? undefined : body);
    return answer;
  }

  /** GET that must succeed; its body. */
  // deno-lint-ignore no-explicit-any -- tests look into answers of every shape
  async read(path: string, query?: Query): Promise<any> {
    const answer = await this.get(path, query);
    expect([path, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([
      path,
      200,
      "",
    ]);
    return answer.json;
  }

  async register(catrn: string, name = catrn): Promise<void> {
    const answer = await this.post("/ingestion/datasources", { items: [{ catrn, name }] });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  }

  /** Posts a batch that must be applied. */
  async ingest(source: string, ...items: object[]): Promise<Answer> {
    const answer = await this.post("/ingestion/entities", { data_source_catrn: source, items });
    expect([answer.status, answer.text, answer.headers.get("x-ingestion-state")])
      .toEqual([200, "", "applied"]);
    return answer;
  }

  /** Id of a listed entity by its CATRN; undefined when lists hide it. */
  async find(catrn: string): Promise<number | undefined> {
    const { items } = await this.read("/api/dataentities", { catrn, page: 1, size: 10 });
    return items[0]?.id;
  }

  async id(catrn: string): Promise<number> {
    return await eventually(async () => {
      const found = await this.find(catrn);
      if (found === undefined) throw new Error(`no entity ${catrn}`);
      return found;
    }, { within: 5_000 });
  }

  /** Pairs `parent>child` of a lineage answer by `names`, once the graph has what is expected. */
  async lineage(id: number, direction: "upstream" | "downstream", depth = 20): Promise<Lineage> {
    const path = `/api/dataentities/${id}/lineage/${direction}`;
    return lineageOf(await this.read(path, { lineage_depth: depth }), direction);
  }
}

export interface Lineage {
  /** `parent>child`, by the ends of their CATRNs. */
  edges: string[];
  // deno-lint-ignore no-explicit-any -- nodes as answered
  nodes: any[];
}

// deno-lint-ignore no-explicit-any -- as answered
export function lineageOf(answer: any, direction: "upstream" | "downstream"): Lineage {
  const { nodes, edges } = answer[direction];
  const names = new Map<number, string>(
    nodes.map((n: { id: number; catrn: string }) => [n.id, n.catrn.split("/").at(-1)!]),
  );
  return {
    nodes,
    edges: edges.map((e: { source_id: number; target_id: number }) =>
      `${names.get(e.source_id)}>${names.get(e.target_id)}`
    ).sort(),
  };
}

type Query = Record<string, string | number | boolean>;

function withQuery(path: string, query?: Query): string {
  if (!query) return path;
  const pairs = Object.entries(query).map(([key, value]) => [key, String(value)]);
  return `${path}?${new URLSearchParams(pairs)}`;
}

function parsed(method: string, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${method} ${path} answered no JSON: ${text.slice(0, 200)}`);
  }
}

/** One journey, on every set of engines or on `sets`: `tests` gets the client as soon as its instance runs. */
export function journey(
  name: string,
  tests: (client: () => Client) => void,
  { config, sets = engineSets() }: Pick<InstanceOptions, "config"> & { sets?: EngineSet[] } = {},
): void {
  // A busy machine is to take its time, not to answer `queued`.
  const options = { config: { ingestion: { "ack-timeout": "25s" }, ...config } };
  describe.each(sets)(`${name}, %s engines`, (set) => {
    let client: Client;
    beforeAll(async () => void (client = new Client(await startInstance(set, options))));
    afterAll(() => client?.instance.stop());
    tests(() => client);
  });
}
