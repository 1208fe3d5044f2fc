// What a drawing needs once somebody moves it: the picture comes first.
export { paintBlocks } from "#web/graph/paint/blocks.ts";
export { LineLayer } from "#web/graph/paint/layer.ts";
export { Picker } from "#web/graph/pick.ts";
export { Gestures } from "#web/features/lineage/gestures.ts";
