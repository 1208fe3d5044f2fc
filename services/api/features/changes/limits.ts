import { type Limit, limit } from "#kit/limits.ts";

/** Maximum number of ids of entities in `entity_id`. */
export const maxFollowedEntities = 100;

/** Limits of change streams; tests make them smaller. */
export const following = {
  /** Changes that a process buffers in memory, for clients that reconnect soon. */
  buffered: 2_000,
  /** Maximum number of rows of one read of the reader. */
  page: 1_000,
  /** Maximum number of changes of one piece that a client is given. */
  portion: 500,
  /** Portions of the table sent to a client that is far behind; after these, a full reload costs less. */
  portionsBehind: 20,
  /** Milliseconds between two reads, and between two looks at the projection. */
  pollMs: 250,
  projectionMs: 1_000,
  /** Milliseconds without PostgreSQL, or for which credentials cannot be checked, after which clients are sent away. */
  maxWaitMs: 10_000,
  /** Milliseconds without an event after which a heartbeat is sent. */
  heartbeatMs: 15_000,
  /** Milliseconds between two looks at what a client showed when it came. */
  recheckMs: 1_000,
  /** Milliseconds that a client may leave unread what it was sent. */
  slowMs: 60_000,
  /** Milliseconds in which one that is sent away must have read so. */
  drainMs: 2_000,
  /** Milliseconds after which a client shall come back, at least and at most. */
  retryMs: [1_000, 4_000],
} as const satisfies Record<string, number | readonly number[]>;
export type FollowLimits = {
  [K in keyof typeof following]: (typeof following)[K] extends number ? number
    : readonly [number, number];
};

/** Longest time that one answer may take, seconds. */
export const longestWait = 3_600;

const place = "GET /api/changes";

export const changeLimits: Limit[] = [
  limit(
    place,
    "clients at once, of one process",
    { key: "server.max-change-streams" },
    "503 with Retry-After",
  ),
  limit(
    place,
    "concurrent clients of one user, or of one address without sign-in",
    { key: "server.max-change-streams-per-caller" },
    "429 with Retry-After",
  ),
  limit(place, "entities in entity_id", maxFollowedEntities),
  limit(
    place,
    "duration of one response, s",
    longestWait,
    "the response ends, and the client reconnects",
  ),
  limit(
    place,
    "changes missed by a client that reconnects",
    following.portion * following.portionsBehind,
    "it receives `reset`",
  ),
  limit(place, "time that a client may not read, ms", following.slowMs, "its connection is closed"),
];
