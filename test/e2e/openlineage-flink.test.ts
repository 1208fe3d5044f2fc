import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { writeTopic } from "#test/support/engines/kafka-topic.ts";
import { eventually } from "#test/support/eventually.ts";
import { copyByFlink } from "#test/support/openlineage/clients.ts";

// A streaming job of Flink that reads and writes topics of a real Kafka, observed by the listener of OpenLineage.

if (distributed()) {
  describe("the Flink listener, unmodified", () => {
    const [from, into] = ["orders", "copies"].map((name) =>
      `${name}_${crypto.randomUUID().slice(0, 8)}`
    ) as [string, string];
    const namespace = "flink";
    const brokers = kafkaBrokers()[0]!;
    let instance: Instance;
    beforeAll(async () => {
      await writeTopic(from, ["1", "2"]);
      await writeTopic(into, []);
      const services = [apiService, ingestConsumerService, openLineageService];
      instance = await startInstance("distributed", { services });
    });
    afterAll(() => instance?.stop());

    const jobs = async () =>
      await instance.test.db.query(
        `SELECT e.catrn, e.id, array_agg(DISTINCT r.status) AS statuses
           FROM lineage_edge i JOIN lineage_edge o ON o.establisher_id = i.establisher_id
           JOIN data_entity a ON a.id = i.parent_id JOIN data_entity b ON b.id = o.child_id
           JOIN data_entity e ON e.id = i.establisher_id LEFT JOIN task_run r ON r.task_id = e.id
          WHERE a.external_name = $1 AND b.external_name = $2 GROUP BY e.id`,
        [from, into],
      );

    it("a stream has its lineage while it runs, and its run ends when it is cancelled", async () => {
      const cancelled = Promise.withResolvers<void>();
      const copying = copyByFlink({
        "openlineage.transport.type": "http",
        "openlineage.transport.url": instance.url,
      }, { brokers, from, into, namespace, until: cancelled.promise });
      const catrn = `//openlineage/namespaces/${namespace}/jobs/copy`;
      const running = eventually(async () =>
        expect(await jobs()).toMatchObject([{ catrn, statuses: ["RUNNING"] }])
      );
      try {
        // Where Flink itself fails, that is what is wrong.
        await Promise.race([running, copying]);
      } finally {
        cancelled.resolve();
      }
      await copying;
      await eventually(async () =>
        expect(await jobs()).toMatchObject([{ catrn, statuses: ["FAILED"] }])
      );
      const warnings = await instance.json(`/api/openlineage/complaints?namespace=${namespace}`);
      expect(warnings).toEqual({ items: [] });
    });
  });
} else {
  describe("the Flink listener, unmodified", () => {
    it("is not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
