import { elementsOf, keyText, membersOf, skipSpace, type Slice, stringText } from "./bytes.ts";

/** The byte ranges of a batch within its body; nothing is copied. */
export interface ScannedBatch {
  /** The text of `data_source_catrn`; undefined when it is absent or not a string. */
  dataSourceCatrn: string | undefined;
  items: Slice[];
}

/**
 * Finds the data source and the items of a batch by scanning bytes, without parsing. For a body that
 * is not valid JSON, returns whatever could be read. The last of several equal keys wins, as in
 * `JSON.parse`. A byte-order mark is skipped.
 */
export function scanBatch(body: Uint8Array): ScannedBatch {
  const batch: ScannedBatch = { dataSourceCatrn: undefined, items: [] };
  for (const { key, value } of membersOf(body, skipSpace(body, markLength(body)))) {
    const name = keyText(body, key);
    if (name === "data_source_catrn") batch.dataSourceCatrn = stringText(body, value);
    if (name === "items") batch.items = [...elementsOf(body, value.from)];
  }
  return batch;
}

/** Length of the byte-order mark that `bytes` start with, 0 or 3. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether an item carries `data_entity_group`; groups are applied after the entities they may name. */
export function isGroup(bytes: Uint8Array, { from }: Slice): boolean {
  let group = false;
  for (const { key, value } of membersOf(bytes, from)) {
    // The key is at least 17 bytes, escaped or not. Only an object counts; an explicit null means
    // absent.
    if (key.to - key.from >= 17 && keyText(bytes, key) === "data_entity_group") {
      group = bytes[value.from] === 0x7b;
    }
  }
  return group;
}
