import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { distributed } from "#test/support/engines/engines.ts";
import { isLongRun } from "#test/support/size.ts";
import { chaos } from "./chaos.ts";
import { outages } from "./outages.ts";
import { poisonRecords } from "./poison.ts";
import { type Stack, startStack } from "./stack.ts";
import { stops } from "./stops.ts";
import { takeovers } from "./takeovers.ts";

if (distributed()) {
  describe("faults, distributed engines", () => {
    let stack: Stack;
    beforeAll(async () => void (stack = await startStack()));
    beforeEach(() => stack.heal());
    afterAll(() => stack?.close());

    poisonRecords(() => ({ url: stack.processes.api1.url, observer: stack.observer }));
    outages(() => stack);
    takeovers(() => stack);
    stops(() => stack);
    if (isLongRun) chaos(() => stack);
  });
} else {
  describe("faults, distributed engines", () => {
    it("are not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
