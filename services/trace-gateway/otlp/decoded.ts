import type { ResourceSpans } from "../model.ts";

/** What a request held, whatever its encoding. */
export interface DecodedRequest {
  resourceSpans: ResourceSpans[];
  /** Spans in all, the refused ones included. */
  received: number;
  /** Spans that cannot be taken, though the request as a whole is sound. */
  refused: number;
  /** Why the first of them was refused. */
  reason: string | null;
}

/** A request that is not OTLP: 400, and the exporter must not send it again. */
export class MalformedRequest extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MalformedRequest";
  }
}

/** Counts what a decoder refuses, and remembers the first reason. */
export class Refusals {
  count = 0;
  reason: string | null = null;

  add(reason: string): void {
    this.count++;
    this.reason ??= reason;
  }
}
