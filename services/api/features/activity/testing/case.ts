import type { Answer } from "#test/support/http/api.ts";

export type Send = () => Promise<Answer>;

/** How to call an operation. `done` must write exactly the events that the operation declares. */
export interface Case {
  /** Creates what the operation needs; returns the calls to make; each must succeed. */
  done: () => Promise<Send[]>;
  /** A call that must be refused. */
  refused: Send;
}
