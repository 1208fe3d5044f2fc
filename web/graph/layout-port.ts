import { layoutOf } from "#web/graph/layout/layout.ts";
import type { Layout, LayoutInput } from "#web/graph/model.ts";

/** What the page sends to the worker. */
export interface LayoutRequest {
  id: number;
  input: LayoutInput;
}

/** What the worker answers: a layout, or why there is none; neither where a newer request took its place. */
export interface LayoutAnswer {
  id: number;
  layout?: Layout;
  error?: string;
}

/** The worker's side of its messages, as far as it is used. */
export interface Port {
  onmessage: ((event: { data: LayoutRequest }) => void) | null;
  postMessage(answer: LayoutAnswer, transfer: ArrayBufferLike[]): void;
}

/**
 * Answers requests that come to `port`. One that is still waiting when a newer one comes is answered without a layout:
 * `later` runs its work after the messages that are already there.
 */
export function serveLayouts(
  port: Port,
  later: (work: () => void) => void = (work) => void setTimeout(work),
): void {
  let newest: LayoutRequest | undefined;
  port.onmessage = ({ data }) => {
    const replaced = newest;
    newest = data;
    if (replaced) port.postMessage({ id: replaced.id }, []);
    else later(work);
  };
  const work = () => {
    const request = newest!;
    newest = undefined;
    const answer = answerTo(request);
    port.postMessage(answer, answer.layout ? buffersOf(answer.layout) : []);
  };
}

function answerTo({ id, input }: LayoutRequest): LayoutAnswer {
  try {
    return { id, layout: layoutOf(input) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

function buffersOf({ x, y, layers, points, offsets, reversed }: Layout): ArrayBufferLike[] {
  return [x, y, layers, points, offsets, reversed].map(({ buffer }) => buffer);
}
