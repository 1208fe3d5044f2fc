import { parseDataEntityList } from "#contract/ingestion/batch.ts";
import { AppError } from "#kit/errors.ts";

/** A sound dataset field. */
export const field = (more: object = {}) => ({
  catrn: "f",
  name: "f",
  type: { type: "TYPE_STRING", is_nullable: true },
  ...more,
});
/** A sound item. */
export const item = (more: object = {}) => ({
  catrn: "//a",
  name: "a",
  type: "TABLE",
  dataset: { field_list: [field()] },
  ...more,
});
/** Body of a batch of these items. */
export const list = (...items: unknown[]) => JSON.stringify({ data_source_catrn: "//s", items });

/** `field: message` of everything wrong. */
export function faults(body: string | Uint8Array): string[] {
  try {
    parseDataEntityList(body);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.status !== 400) throw error;
    return error.details.length === 0
      ? [error.message]
      : error.details.map((detail) => `${detail.field}: ${detail.message}`);
  }
}
