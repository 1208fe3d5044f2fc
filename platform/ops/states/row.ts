/** Documentation of a worker state for operators; texts are Markdown. */
export type StateRow = [
  state: string,
  /** Which workers have it. */
  whose: string,
  means: string,
  action: string,
  /** How long it takes; empty where that says nothing. */
  takes: string,
];
