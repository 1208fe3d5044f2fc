import { maxDetails } from "#contract/bounded.ts";
import { checkDataEntityList, duplicateCatrns } from "#contract/ingestion/batch.ts";
import { type ErrorDetail, PermanentError } from "#kit/errors.ts";
import type { ReceivedPart, ValidPart } from "../part.ts";

/**
 * Stage 2: the body by its schema. A wrong item refuses the whole part of a batch that the API took;
 * of a direct record it stays behind alone. Throws `PermanentError`, and the 400
 * `AppError` of a body that cannot be read at all.
 */
export function validate(received: ReceivedPart): ValidPart {
  const batch = checkDataEntityList(received.body);
  const items = batch.items.map(({ item }) => item);
  const indexes = batch.items.map(({ index }) => index);
  refuseDuplicates(batch.items.map(({ index, item }) => ({ index, catrn: item.catrn })));
  if (batch.refused.length > 0 && (!received.identity.direct || items.length === 0)) {
    throw invalidItems(batch.refused.flatMap((item) => item.details));
  }
  const { data_source_catrn: sourceCatrn, refused } = batch;
  return { ...received, sourceCatrn, items, indexes, refused };
}

/** The refusal of items that break the schema. */
export function invalidItems(details: ErrorDetail[]): PermanentError {
  const first = details[0];
  return new PermanentError(
    "invalid_items",
    `The body is not valid: ${first?.field ?? "items"} ${first?.message ?? "is wrong"}`,
    details.slice(0, maxDetails),
  );
}

function refuseDuplicates(items: { index: number; catrn: string }[]): void {
  const found = duplicateCatrns(items.map(({ catrn }) => catrn));
  if (found.length === 0) return;
  const details = found.slice(0, maxDetails).map(({ catrn, at }) => ({
    field: `items[${items[at[1]!]!.index}].catrn`,
    message: `repeats ${catrn} of items[${items[at[0]!]!.index}]`,
  }));
  throw new PermanentError(
    "duplicate_catrn",
    `The batch names ${found[0]!.catrn} more than once`,
    details,
  );
}
