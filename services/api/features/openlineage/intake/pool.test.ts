import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { inlineBytes } from "./bounds.ts";
import { JudgePool } from "./pool.ts";

it("looks after each large body, and no other, whether a collector waits", async () => {
  let looked = 0;
  const pool = new JudgePool(noMetrics, {
    get any() {
      return looked++ === 0;
    },
  });
  const body = (bytes: number) => Buffer.from(`[{"x":"${"x".repeat(bytes)}"}]`);
  try {
    await pool.judge(body(10), { lines: false });
    expect(looked).toBe(0);
    await pool.judge(body(inlineBytes), { lines: false });
    expect(looked).toBe(1);
    await pool.judge(body(inlineBytes), { lines: false });
    expect(looked).toBe(2);
  } finally {
    pool.stop();
  }
});
