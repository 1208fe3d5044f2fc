import { afterAll, beforeAll, expect } from "vitest";
import { clients, type McpClient } from "#services/api/mcp/testing/clients.ts";
import { type Answer, checkedAnswer, errorFrom } from "#services/api/mcp/testing/answers.ts";
import { seedShop } from "#services/api/mcp/testing/shop.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { type EngineSet, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

/** A server over HTTP with a shop in its catalogue, and the official clients of it. */
export interface ServedInstance {
  readonly instance: Instance;
  /** Ids of the shop's entities, by short name. */
  readonly ids: Record<string, number>;
  client(name: string): McpClient;
  /** An answer, checked, and the words of an error, both through one of the clients. */
  answerOf(client: string, tool: string, given: object): Promise<Answer>;
  errorOf(client: string, tool: string, given: object): Promise<string>;
}

/** Call it at the top of a test file; what it returns is there once the tests run. */
export function servedShop(engines: EngineSet = "embedded"): ServedInstance {
  const connected = new Map<string, McpClient>();
  let instance: Instance;
  let ids: Record<string, number>;
  beforeAll(async () => {
    const services = [apiService, ingestConsumerService];
    instance = await startInstance(engines, { services });
    ids = await seedShop(instance.test.db);
    await eventually(async () => {
      const path = `/api/dataentities/${ids.hub}/lineage/downstream/neighbours?page=1&size=1`;
      const lineage = `/api/dataentities/${ids.hub}/lineage/downstream?lineage_depth=1`;
      const [all, reached] = [await instance.json(path), await instance.json(lineage)] as Answer[];
      expect(reached.downstream.edges).toHaveLength(all.page_info.total);
    });
    for (const [name, connect] of Object.entries(clients)) {
      connected.set(name, await connect(instance.url, {}));
    }
  });
  afterAll(async () => {
    for (const client of connected.values()) await client.close();
    await instance?.stop();
  });
  const client = (name: string) => connected.get(name)!;
  return {
    get instance() {
      return instance;
    },
    get ids() {
      return ids;
    },
    client,
    answerOf: (name, tool, given) => checkedAnswer(client(name), tool, given),
    errorOf: (name, tool, given) => errorFrom(client(name), tool, given),
  };
}
