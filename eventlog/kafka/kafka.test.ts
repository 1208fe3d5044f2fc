import { describe, expect, it } from "vitest";
import { eventLogConformance } from "#test/conformance/eventlog.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";

if (distributed()) {
  eventLogConformance("kafka", async () => {
    const { db, name: instance, drop } = await testDatabase(2);
    // 6 s is the shortest session that a broker allows by default.
    const target = {
      engine: "kafka" as const,
      brokers: kafkaBrokers(),
      instance,
      sessionMs: 6_000,
    };
    return { db, target, unreachable: { ...target, brokers: ["127.0.0.1:1"] }, tearDown: drop };
  });
} else {
  describe("event log on kafka", () => {
    it("is not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
