import type { ServerResponse } from "../send.ts";
import type { Subject } from "../subject.ts";

/** Something that costs as much as its sender can make it cost. */
export interface CostCase {
  /** Entrance, then what comes in. */
  name: string;
  /** Sends it and tells the answer; null where nobody answers. */
  send(subject: Subject): Promise<ServerResponse | null>;
  /** Like another case: sent by `npm run test:long` only. */
  alike?: boolean;
  /** Statuses that the entrance may answer with; any documented 5xx unless told. */
  declared?: number[];
}

/** JSON that is nested `levels` deep. */
export const nested = (levels: number, open = "[", close = "]") =>
  open.repeat(levels) + close.repeat(levels);

/** `units` apart by commas until they fill `bytes`. */
export function listed(unit: (n: number) => string, bytes: number): string {
  const units: string[] = [];
  for (let length = 0, n = 0;; n++) {
    const next = unit(n);
    length += next.length + 1;
    if (length > bytes) return units.join(",");
    units.push(next);
  }
}

export const mebibyte = 1_048_576;
