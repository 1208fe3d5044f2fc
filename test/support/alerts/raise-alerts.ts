import { expect } from "vitest";
import type { Instance } from "#test/support/engines/instance.ts";

let marks = 0;

/**
 * Tells the alert router of so many alerts in a few requests, all on one entity, or each on one of its
 * own that nobody knows. What each says holds `mark-<n>-`, another one each time; returns the marks.
 */
export async function raiseAlerts(
  { send }: Pick<Instance, "send">,
  count: number,
  entity?: string,
): Promise<number[]> {
  const each = 250;
  const raised = Array.from({ length: count }, () => ++marks);
  for (let at = 0; at < count; at += each) {
    const alerts = raised.slice(at, at + each).map((n) => ({
      labels: { entity_catrn: entity ?? `//burst/tables/t${n}` },
      generatorURL: `http://monitor.example/mark-${n}-`,
    }));
    const { status } = await send("POST", "/ingestion/alert/alertrouter", { alerts });
    expect(status).toBe(200);
  }
  return raised;
}

/** The mark in what was said. */
export function markOf(text: string): number {
  return Number(/mark-(\d+)-/.exec(text)?.[1]);
}
