import { Slots } from "#services/api/transfers/slots.ts";
import { maxTransfers } from "../limits.ts";

/** Slots for imports and exports, so few that they leave most of these connections to others. */
export function transferSlots(connections: number): Slots {
  const max = Math.max(1, Math.min(maxTransfers, Math.floor(connections / 4)));
  return new Slots(max, "imports and exports of lookup tables");
}
