import { setTimeout as pause } from "node:timers/promises";
import type { Subject } from "../support/subject.ts";

/** Concurrent requests, as from a fleet of schedulers. */
export const senders = 32;

/** Posts bodies from several clients at once; resolves when all of them are accepted. */
export async function send(subject: Subject, bodies: string[]): Promise<void> {
  const queue = [...bodies].reverse();
  await Promise.all(Array.from({ length: senders }, async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await post(subject, next);
  }));
}

/** Posts one body until it is taken; clients of OpenLineage repeat after 503. */
export async function post(subject: Subject, body: string): Promise<void> {
  for (;;) {
    const response = await subject.post("/api/v1/lineage", body);
    const text = await response.text();
    if (response.ok && text === "") return;
    if (response.status !== 503) {
      throw new Error(`an event was answered ${response.status} ${text}`);
    }
    await pause(Number(response.headers.get("retry-after") ?? 1) * 1_000);
  }
}
