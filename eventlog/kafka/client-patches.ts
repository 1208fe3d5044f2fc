import { createRequire } from "node:module";

const patched = new Set<string>();

/** Changes a class of kafkajs, once in a process. `file`: below its `src`, without an extension; `T`: what is used of it. */
function patchClient<T>(file: string, patch: (prototype: T) => void): void {
  if (patched.has(file)) return;
  patched.add(file);
  const { prototype } = createRequire(import.meta.url)(`kafkajs/src/${file}`) as { prototype: T };
  patch(prototype);
}

/** The part of the client's member of a group that is used here. */
interface ConsumerGroup {
  /** Milliseconds that the broker holds a fetch while there are no records; they end it at once. */
  maxWaitTime: number;
  subscriptionState: { paused(): { partitions: number[] }[] };
  fetch(nodeId: unknown): Promise<{ isEmpty(): boolean }[]>;
}

/** Milliseconds that a fetch of a busy consumer waits: a resumed partition, a rebalance and a stop wait for its end. */
export const busyWaitMs = 250;
/** The same of a consumer that had no records for `idleAfterMs`, and none of whose partitions is paused. */
export const idleWaitMs = 1_000;
const idleAfterMs = 10_000;

/**
 * Has an idle consumer of kafkajs 2.2.4 fetch once a second. The client takes one time for all fetches; each one that
 * comes back empty costs about half a millisecond of CPU, four times a second for each consumer.
 */
export function useIdleFetch(): void {
  patchClient<ConsumerGroup>("consumer/consumerGroup", (prototype) => {
    prototype.fetch = waitingFetch(prototype.fetch, () => Date.now());
  });
}

/** `fetch` with a wait that grows once a consumer is idle. */
export function waitingFetch(
  fetch: ConsumerGroup["fetch"],
  now: () => number,
): ConsumerGroup["fetch"] {
  const busyAt = new WeakMap<ConsumerGroup, number>();
  return async function (this: ConsumerGroup, nodeId) {
    const isPaused = this.subscriptionState.paused().some(({ partitions }) =>
      partitions.length > 0
    );
    if (isPaused || !busyAt.has(this)) busyAt.set(this, now());
    this.maxWaitTime = now() - busyAt.get(this)! < idleAfterMs ? busyWaitMs : idleWaitMs;
    const batches = await fetch.call(this, nodeId);
    if (batches.some((batch) => !batch.isEmpty())) busyAt.set(this, now());
    return batches;
  };
}

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
