import type { OpenLineageEvent } from "../event.ts";
import { headersOf, keyOf, type Receipt, valueOf } from "../record.ts";

/** A record of `openlineage.events`. */
interface EventRecord {
  key: string;
  value: Uint8Array;
  headers: Record<string, string>;
}

/** The record of an accepted event, as its intake writes it. */
export function recordOf(event: OpenLineageEvent, received: Receipt): EventRecord {
  return { key: keyOf(event), value: valueOf(event), headers: headersOf(received) };
}
