// Everything that only drawings with groups, or with many boxes, need, so that it is loaded at once.
export { paintRows } from "#web/graph/paint/framing.ts";
export { framesOf } from "#web/graph/frames.ts";
export { limitNeighbours } from "#web/graph/neighbours.ts";
export { mapOf } from "#web/graph/folds.ts";
export { foldGroups } from "#web/graph/folds.ts";
export { paintFrames } from "#web/graph/paint/framing.ts";
