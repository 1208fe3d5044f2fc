import { utcText } from "#contract/ingestion/values.ts";

// expression-ok -- fixed widths, one optional group of digits
const form =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?([.,]\d{1,9})?(Z|z|[+-]\d{2}(?::?\d{2})?)?(?:\[[^\]]{1,64}\])?$/;

/**
 * Milliseconds since the epoch of an RFC 3339 time, also as Java and Python write it: without seconds,
 * without offset (UTC then), with a name of the zone. Undefined for anything else, and outside the
 * years 1 to 9999.
 */
export function instantOf(text: unknown): number | undefined {
  if (typeof text !== "string" || text.length > 120) return undefined;
  const found = form.exec(text.trim());
  if (!found) return undefined;
  const [, date, minutes, seconds = ":00", fraction = ".0", zone = "Z"] = found;
  const parts = `${date}T${minutes}${seconds}.${fraction.slice(1, 4).padEnd(3, "0")}`;
  const at = Date.parse(`${parts}${offsetOf(zone)}`);
  return utcText(at) === null ? undefined : at;
}

/** `+02`, `+0200` and `+02:00` as the last. */
function offsetOf(zone: string): string {
  if (zone === "Z" || zone === "z") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
