import { clean } from "#kit/shown-text.ts";

// Joiners and selectors of variations carry bits that nobody sees when they stand in rows; emoji and scripts need two at most.
const carriers = /[\u200c\u200d\ufe00-\ufe0f]{3,}|[\u{e0100}-\u{e01ef}\ufff9-\ufffb]/gu;

/** A text as people see it: an assistant reads characters that show nothing, and takes them for instructions. */
export function visibleText(text: string): string {
  return clean(text).replaceAll(carriers, "");
}

/** The value with all of its texts, and names of members, as people see them. */
export function visible(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, member]) =>
    [visibleText(name), visible(member)] as const
  );
  return Object.fromEntries(members);
}
