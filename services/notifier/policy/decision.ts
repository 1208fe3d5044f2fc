import type { AlertEventRecord } from "#contract/alerts.ts";
import type { AlertMessage } from "#contract/notifications.ts";
import type { Transaction } from "#metadata/postgres/database.ts";

/** A change of an alert, and the message that would announce it. */
export interface MessageDraft {
  event: AlertEventRecord;
  message: AlertMessage;
}

/** One row of `notification`. */
export interface NotificationKey {
  eventId: number;
  kind: "event" | "follow_up";
}

/** What becomes of a change. `cause` says why, in words for the delivery log. */
export type Decision =
  /** Sent in `waitMs` milliseconds; `cause` when that is not at once. */
  | { state: "announced"; waitMs: number; cause?: string }
  | { state: "suppressed"; cause: string }
  /** Included in the message of the alert `by`, until that closes. */
  | { state: "held"; cause: string; by: number }
  | { state: "merged"; cause: string; into: NotificationKey };

/** What decides on changes before they are announced. */
export interface Policy {
  /** Changes to be decided on in one transaction, at most. */
  readonly batchSize: number;
  /** Queries the graph, outside of the transaction; fails open. */
  prepare(changes: MessageDraft[]): Promise<UpstreamByChange>;
  /** Decides on each, in order; may add to messages that are not sent yet. */
  decide(tx: Transaction, changes: MessageDraft[], prepared: UpstreamByChange): Promise<Decision[]>;
}

/** Entities upstream of that of a change, by the change's id. */
export type UpstreamByChange = Map<number, number[]>;

/** What becomes of a change that no policy has anything to say to. */
export const immediately: Decision = { state: "announced", waitMs: 0 };
