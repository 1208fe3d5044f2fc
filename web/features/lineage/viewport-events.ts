import type { Point } from "#web/graph/geometry.ts";
import type { Hit } from "#web/graph/pick.ts";

/** How something was picked; without a point by a key. */
export interface Press {
  shift: boolean;
  double: boolean;
  /** Where in the drawing. */
  at?: Point;
}

export interface ViewportEvents {
  /** Something was clicked; null for the ground. */
  onPick: (hit: Hit | null, event: Press) => void;
  onHover: (hit: Hit | null) => void;
}
