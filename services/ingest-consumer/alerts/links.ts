import type { EntityChange } from "../change-set.ts";
import type { RemovedLink } from "./signals.ts";

/** The links of a transformer or consumer before this payload; null for kinds that it did not have. */
export interface StoredLinks {
  id: number;
  sources: string[] | null;
  targets: string[] | null;
  inputs: string[] | null;
}

/**
 * Links that entities had before and have no longer. Microservices are left out: their links follow
 * their traffic, so they come and go.
 */
export function lostLinks(changes: EntityChange[], stored: StoredLinks[]): RemovedLink[] {
  if (stored.length === 0) return [];
  const items = new Map(changes.map(({ id, item }) => [id, item]));
  return stored.flatMap(({ id, sources, targets, inputs }) => {
    const item = items.get(id);
    if (!item || item.type === "MICROSERVICE") return [];
    const { data_transformer: transformer, data_consumer: consumer } = item;
    const lost = (kind: RemovedLink["kind"], before: string[] | null, now: string[] | undefined) =>
      missing(before, now).map((catrn) => ({ entityId: id, kind, catrn }));
    return [
      ...lost("source", sources, transformer?.inputs),
      ...lost("target", targets, transformer?.outputs),
      ...lost("input", inputs, consumer?.inputs),
    ];
  });
}

function missing(before: string[] | null, now: string[] | undefined): string[] {
  const named = new Set(now);
  return [...new Set(before)].filter((catrn) => !named.has(catrn));
}
