import { patchClient } from "#eventlog/kafka/patch-client.ts";

/** The part of a request of the client that its queue looks at; times in milliseconds. */
interface SocketRequest {
  sentAt: number;
  requestTimeout: number;
  timeoutRequest(): void;
}

type Timer = ReturnType<typeof setTimeout>;

/** The part of the client's request queue, one for each connection, that is replaced here. */
interface RequestQueue {
  enforceRequestTimeout: boolean;
  requestTimeout: number;
  requestTimeoutIntervalId: Timer | undefined;
  throttleCheckTimeoutId: Timer | null;
  throttledUntil: number;
  inflight: Map<number, SocketRequest>;
  pending: unknown[];
  isConnected(): boolean;
  checkPendingRequests(): void;
  destroy(): void;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
}

/** Milliseconds between two checks of requests that wait for others to be answered, as in the client. */
const checkMs = 10;

/**
 * Keeps the timers of kafkajs 2.2.4 from waking an idle process: a connection checks for pending requests every
 * millisecond forever (https://github.com/tulios/kafkajs/issues/1704), and for late answers ten times a second.
 * Remove this once the client is replaced.
 */
export function useQuietRequestQueue(): void {
  patchClient<RequestQueue>("network/requestQueue", (prototype) => {
    prototype.scheduleCheckPendingRequests = scheduleCheck;
    prototype.scheduleRequestTimeoutCheck = function () {
      if (!this.enforceRequestTimeout) return;
      this.destroy();
      scheduleTimeouts(this);
    };
  });
}

/** Nothing is scheduled while nothing is pending: what becomes pending later schedules the check itself. */
function scheduleCheck(this: RequestQueue): void {
  if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
  this.throttleCheckTimeoutId = setTimeout(() => {
    this.throttleCheckTimeoutId = null;
    this.checkPendingRequests();
  }, Math.max(checkMs, this.throttledUntil - Date.now()));
}

/**
 * Waits for the first deadline. A request that is sent meanwhile cannot be late earlier, since no request has
 * less than the time of the queue.
 */
function scheduleTimeouts(queue: RequestQueue): void {
  const now = Date.now();
  let next = now + queue.requestTimeout;
  for (const { sentAt, requestTimeout } of queue.inflight.values()) {
    next = Math.min(next, sentAt + requestTimeout);
  }
  queue.requestTimeoutIntervalId = setTimeout(() => {
    endLateRequests(queue);
    if (queue.isConnected()) scheduleTimeouts(queue);
    else queue.destroy();
  }, Math.max(0, next - now) + 1);
}

function endLateRequests({ inflight }: RequestQueue): void {
  const now = Date.now();
  for (const request of [...inflight.values()]) {
    if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
  }
}
