import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { inlineBytes } from "./bodies.ts";
import { EvaluationPool } from "./service.ts";

it("looks after each large body, and no other, whether a collector waits", async () => {
  let checks = 0;
  const pool = new EvaluationPool(noMetrics, {
    get any() {
      return checks++ === 0;
    },
  });
  const body = (bytes: number) => Buffer.from(`[{"x":"${"x".repeat(bytes)}"}]`);
  try {
    await pool.evaluate(body(10), { lines: false });
    expect(checks).toBe(0);
    await pool.evaluate(body(inlineBytes), { lines: false });
    expect(checks).toBe(1);
    await pool.evaluate(body(inlineBytes), { lines: false });
    expect(checks).toBe(2);
  } finally {
    pool.stop();
  }
});
