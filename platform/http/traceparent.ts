import { context, propagation } from "@opentelemetry/api";

const valid = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The W3C trace context that a record of this request carries: the active one, or the client's own when this process
 * exports no traces.
 */
export function traceparentOf({ headers }: Request): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  const value = carrier.traceparent ?? headers.get("traceparent") ?? "";
  return valid.test(value) ? value : undefined;
}
