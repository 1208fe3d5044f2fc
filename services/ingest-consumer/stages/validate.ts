import { maxDetails } from "#contract/bounded.ts";
import { checkDataEntityList, refusalDetails, repeatedCatrns } from "#contract/ingestion/batch.ts";
import { type ErrorDetail, PermanentError } from "#kit/errors.ts";
import type { ReceivedChunk, ValidChunk } from "../chunk.ts";

/**
 * Stage 2: validates the body against its schema. An invalid item refuses the whole chunk if it came
 * through the API, which has checked each item; in a direct record only that item is refused. Throws
 * `PermanentError`, and the 400 `AppError` of a body that cannot be read at all.
 */
export function validate(received: ReceivedChunk): ValidChunk {
  const batch = checkDataEntityList(received.body, received.inspected);
  const items = batch.items.map(({ item }) => item);
  const indexes = batch.items.map(({ index }) => index);
  const repeated = repeatedCatrns(
    batch.items.map(({ index, item }) => ({ index, catrn: item.catrn })),
  );
  if (repeated) throw new PermanentError("duplicate_catrn", repeated.message, repeated.details);
  if (batch.refused.length > 0 && (!received.identity.direct || items.length === 0)) {
    throw invalidItems(refusalDetails(batch.refused));
  }
  const { data_source_catrn: sourceCatrn, refused } = batch;
  return { ...received, sourceCatrn, items, indexes, refused };
}

/** The refusal of items that violate the schema. */
export function invalidItems(details: ErrorDetail[]): PermanentError {
  const first = details[0];
  return new PermanentError(
    "invalid_items",
    `The body is not valid: ${first?.field ?? "items"} ${first?.message ?? "is wrong"}`,
    details.slice(0, maxDetails),
  );
}
