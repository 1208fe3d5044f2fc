import { createHash } from "node:crypto";
import type { Item } from "../connector.ts";
import { transactionUnderLease } from "../deps.ts";
import type { PublishingOptions } from "./options.ts";
import * as queries from "./renames.queries.ts";

/** A hash of what an item is and of its columns in order, in hexadecimal; null for one without columns. */
export function shapeOf({ type, dataset }: Item): string | null {
  const fields = dataset?.field_list ?? [];
  if (fields.length === 0) return null;
  const columns = fields.map((field) => [field.name, field.type?.type, field.type?.logical_type]);
  return createHash("sha256").update(JSON.stringify([type, columns])).digest("hex").slice(0, 32);
}

/**
 * Notes what was probably renamed: of what a complete read no longer found, each dataset with the columns of exactly one
 * that it found for the first time, in the same place or under the same name. Nothing is carried over: somebody decides.
 */
export async function offerRenames({ deps, run, lease }: PublishingOptions): Promise<void> {
  await transactionUnderLease(
    deps,
    lease,
    (tx) => tx.query(queries.offer, [run.connection_id, run.id]),
  );
}
