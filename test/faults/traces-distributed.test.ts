import { describe, expect, it } from "vitest";
import { distributed } from "#test/support/engines/engines.ts";
import { traceFaults } from "./traces.ts";

if (distributed()) {
  describe("faults of traces, distributed engines", () => traceFaults("distributed"));
} else {
  describe("faults of traces, distributed engines", () => {
    it("are not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
