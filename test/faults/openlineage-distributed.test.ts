import { describe, expect, it } from "vitest";
import { distributed } from "#test/support/engines/engines.ts";
import { openLineageFaults } from "./openlineage.ts";

if (distributed()) {
  describe("faults of OpenLineage, distributed engines", () => openLineageFaults("distributed"));
} else {
  describe("faults of OpenLineage, distributed engines", () => {
    it("are not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
