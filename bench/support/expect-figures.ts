import { expect } from "vitest";
import { type Row, table } from "./report.ts";

/** Checks that a benchmark ran and measured something; only an idle machine can show how fast. */
export function expectFigures(rows: Row[], engines: string, atLeast = 6): void {
  expect(rows.length).toBeGreaterThanOrEqual(atLeast);
  for (const row of rows) {
    expect(row.engines).toBe(engines);
    expect(row.ours, row.case).toSatisfy((figure: number) => Number.isFinite(figure) && figure > 0);
    if (row.yardstick !== null) expect(Number.isFinite(row.ratio), row.case).toBe(true);
  }
  expect(table(rows).split("\n")).toHaveLength(rows.length + 1);
}
