import { inTurn, type MeasureOptions } from "../support/measure.ts";
import type { LayoutInput } from "#web/graph/model.ts";
import type { LayoutDrawing } from "./drawing.ts";
import { type Dagre, dagreOf, type Elk, elkOf, type Engine } from "./engines.ts";

export interface MeasureRequest {
  engine: "elk" | "dagre";
  /** Where the benchmark installed the engines, as a URL. */
  modules: string;
  graph: LayoutInput;
  options: MeasureOptions;
}

export type MeasureResponse = { ms: number; drawing: LayoutDrawing } | { failed: string };

const engines: Record<MeasureRequest["engine"], (modules: string) => Promise<Engine>> = {
  elk: async (modules) => {
    const { default: elk } = await import(`${modules}elkjs/lib/elk.bundled.js`) as { default: Elk };
    return elkOf(elk);
  },
  dagre: async (modules) =>
    dagreOf(await import(`${modules}@dagrejs/dagre/dist/dagre.esm.js`) as Dagre),
};

const thread = globalThis as unknown as {
  onmessage: (event: { data: MeasureRequest }) => void;
  postMessage: (response: MeasureResponse) => void;
};

thread.onmessage = async ({ data: { engine, modules, graph, options } }) => {
  try {
    const layOut = await engines[engine](modules);
    const { lines } = await layOut(graph);
    const { theirs } = await inTurn({ theirs: () => layOut(graph) }, options);
    thread.postMessage({ ms: theirs.p50, drawing: { lines } });
  } catch (error) {
    thread.postMessage({ failed: String(error).split("\n")[0]!.slice(0, 80) });
  }
};
