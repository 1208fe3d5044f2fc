import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { distributed } from "#test/support/engines.ts";
import { chaos } from "./chaos.ts";
import { type Stack, startStack } from "./stack.ts";

let stack: Stack;

describe.runIf(distributed())("faults, distributed engines", () => {
  beforeAll(async () => void (stack = await startStack()), 180_000);
  beforeEach(() => stack.heal(), 120_000);
  afterAll(() => stack?.close(), 60_000);

  chaos(() => stack);
});
