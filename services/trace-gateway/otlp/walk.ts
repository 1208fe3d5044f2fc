import type { Refusals } from "./decoded.ts";
import type { WantedKeys } from "./wanted.ts";

/** What goes along while a request is decoded. */
export interface Walk {
  wanted: WantedKeys;
  refusals: Refusals;
  received: number;
}
