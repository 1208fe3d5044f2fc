// Everything that only drawings with groups, or with many boxes, need, so that it is loaded at once.
export { framesOf } from "#web/graph/frames.ts";
export { foldSiblings } from "#web/graph/fold.ts";
export { foldGroups } from "#web/graph/group-folds.ts";
export { paintFrames } from "#web/graph/paint/frames.ts";
