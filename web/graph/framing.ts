// Everything that only drawings with groups, or with many boxes, need, so that it is loaded at once.
export { foldGroups, mapOf } from "#web/graph/folds.ts";
export { framesOf } from "#web/graph/frames.ts";
export { limitNeighbours } from "#web/graph/neighbours.ts";
export { paintFrames, paintRows } from "#web/graph/paint/framing.ts";
