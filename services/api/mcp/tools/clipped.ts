import { shownDescription, shownName, shownText } from "#services/api/mcp/shapes.ts";

/** How long texts of others are shown, by their member; texts of other members are ours. */
const lengths = new Map<string, (text: string) => string | null>([
  ["name", shownName],
  ["title", shownName],
  ["namespace", shownName],
  ["logical_type", shownName],
  ["description", shownDescription],
  ["reason", shownText],
  ["definition", shownText],
  ["value", shownText],
]);

/** An item of a list with the texts of others as long as they are shown. */
export function clipped(item: unknown): unknown {
  const members = Object.entries(item as Record<string, unknown>).map(([name, value]) => {
    const shown = typeof value === "string" ? lengths.get(name)?.(value) ?? value : value;
    return [name, shown];
  });
  return Object.fromEntries(members);
}
