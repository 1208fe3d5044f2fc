import "#web/kit/tokens.css";
import "#web/kit/base.css";
import { drawingOfModel, modelOfGraph } from "./drawing.ts";
import { flowDrawnMs, flowPanFrames } from "./flow.ts";
import { framesOf } from "./frames.ts";
import { highlightMs, hitMicroseconds, panFrames } from "./ours.ts";
import { listFrames } from "./list.ts";

/** What the benchmark calls from outside. */
const bench = {
  panFrames,
  highlightMs,
  hitMicroseconds,
  listFrames,
  flowPanFrames,
  flowDrawnMs,
  framesOf,
  boxes: (nodes: number) => drawingOfModel(modelOfGraph(nodes)).view.nodes.length,
};
export type PageBench = typeof bench;

Object.assign(globalThis, { bench });
