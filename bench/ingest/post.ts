import type { Subject } from "../support/subject.ts";
import { baseBatch, type Batch } from "./items.ts";

/** Registers the sources, and posts the entities that their views read. */
export async function opened(subject: Subject, sources: string[]): Promise<void> {
  const items = sources.map((catrn) => ({ catrn, name: catrn }));
  const registered = await subject.post("/ingestion/datasources", { items });
  if (!registered.ok) throw new Error(`registering sources: ${registered.status}`);
  for (const source of sources) await post(subject, baseBatch(source));
}

/** Resolves when the batch is visible to reads, which the answer `applied` confirms. */
export async function post(subject: Subject, { body }: Batch): Promise<void> {
  const response = await subject.post("/ingestion/entities", body);
  const state = response.headers.get("x-ingestion-state");
  const text = await response.text();
  if (response.ok && state === "applied") return;
  throw new Error(
    `a batch was answered ${response.status} ${state ?? ""} ${text}; it said: ${subject.said()}`,
  );
}
