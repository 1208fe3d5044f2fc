import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { datahubService } from "#services/datahub/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { runRecipe } from "#test/support/datahub/client.ts";
import { SentAspects } from "#test/support/datahub/sent.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { writeTopic } from "#test/support/engines/kafka-topic.ts";
import { eventually } from "#test/support/eventually.ts";
import { mappedShare } from "../../tools/datahub-aspects.ts";

// DataHub's own client with a Kafka: its topics as a source, and as the sink through which aspects come.

if (distributed()) {
  describe("DataHub's client and Kafka", () => {
    const prefix = `shop_${crypto.randomUUID().slice(0, 8)}`;
    const proposals = `${prefix}_MetadataChangeProposal_v1`;
    const host = kafkaBrokers()[0]!;
    let instance: Instance;
    const sentAspects = new SentAspects(() => instance);
    let directory: string;
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), "tributary-datahub-"));
      await writeTopic(proposals, []);
      await writeTopic(`${prefix}_orders`, ['{"id": 1}']);
      const services = [apiService, ingestConsumerService, datahubService];
      const kafka = { brokers: kafkaBrokers().join(","), topic: proposals };
      const config = { datahub: { hosts: `kafka=${host}`, kafka } };
      instance = await startInstance("distributed", { services, config });
    });
    afterAll(async () => {
      await instance?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    const registry = () => `${instance.url}/integrations/datahub/schema-registry/api/`;
    const source = (topic: string) => ({
      type: "kafka",
      config: {
        connection: { bootstrap: host, schema_registry_url: registry() },
        topic_patterns: { allow: [`^${topic}$`] },
      },
    });
    const topics = async () =>
      (await instance.test.db.query<{ catrn: string }>(
        `SELECT catrn FROM data_entity WHERE starts_with(catrn, '//kafka/') AND NOT hollow AND is_live(status)
          ORDER BY catrn`,
      )).map(({ catrn }) => catrn.split("/").at(-1));
    const succeeded = ({ code, said }: { code: number; said: string }) => {
      expect(said).toMatch(/Pipeline finished (successfully|with at least \d+ warnings)/);
      expect(said).toMatch(/'failures': \[\]/);
      expect(code).toBe(0);
    };

    it("kafka as a source: its topics", async () => {
      const sink = {
        type: "datahub-rest",
        config: { server: `${instance.url}/integrations/datahub` },
      };
      succeeded(await runRecipe(directory, { source: source(`${prefix}_orders`), sink }));
      const sent = await sentAspects.take();
      expect(mappedShare(sent)).toBeGreaterThanOrEqual(0.95);
      await eventually(async () => expect(await topics()).toEqual([`${prefix}_orders`]));
    });

    it("datahub-kafka as the sink: aspects in Avro come from the topic, by the registry of this server", async () => {
      await writeTopic(`${prefix}_visits`, ['{"id": 1}']);
      const sink = {
        type: "datahub-kafka",
        config: {
          connection: { bootstrap: host, schema_registry_url: registry() },
          topic_routes: { MetadataChangeProposal: proposals },
        },
      };
      succeeded(await runRecipe(directory, { source: source(`${prefix}_visits`), sink }));
      await eventually(async () =>
        expect(await topics()).toEqual([`${prefix}_orders`, `${prefix}_visits`])
      );
    });

    it("proposals in JSON are taken as well; what is none is listed and costs only itself", async () => {
      const aspect = (name: string, value: unknown) =>
        JSON.stringify({
          entityType: "dataset",
          entityUrn: `urn:li:dataset:(urn:li:dataPlatform:kafka,${prefix}_json,PROD)`,
          changeType: "UPSERT",
          aspectName: name,
          aspect: { value: JSON.stringify(value), contentType: "application/json" },
        });
      await writeTopic(proposals, [
        aspect("datasetProperties", { name: "json" }),
        "nonsense",
        new Uint8Array([0, 0, 0, 3, 231, 1]),
        null,
        aspect("no name", {}),
        aspect("subTypes", { typeNames: ["Topic"] }),
      ]);
      await eventually(async () => expect(await topics()).toContain(`${prefix}_json`));
      await eventually(async () => {
        const { items } = await instance.json("/api/openlineage/complaints?namespace=datahub") as {
          items: { kind: string }[];
        };
        const kinds = items.map(({ kind }) => kind).filter((kind) => kind !== "not_mapped");
        expect(kinds.sort()).toEqual(["refused", "unreadable", "unreadable"]);
      });
    });
  });
} else {
  describe("DataHub's client and Kafka", () => {
    it("is not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
