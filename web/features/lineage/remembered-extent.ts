import { type Extent, extentOf } from "#web/features/lineage/address.ts";

type Way = "up" | "down";

const keyOf = (way: Way) => `tributary.lineage.${way}`;

/** How far this person let the last drawing go, for each side that was chosen once. */
export function preferredExtents(): Partial<Record<Way, Extent>> {
  const found: Partial<Record<Way, Extent>> = {};
  try {
    for (const way of ["up", "down"] as const) {
      const extent = extentOf(localStorage.getItem(keyOf(way)));
      if (extent !== undefined) found[way] = extent;
    }
  } catch {
    // Storage may be forbidden; then each drawing opens as the first one.
  }
  return found;
}

/** Opens later drawings so far. */
export function rememberExtent(way: Way, extent: Extent): void {
  try {
    localStorage.setItem(keyOf(way), String(extent));
  } catch {
    // As above.
  }
}
