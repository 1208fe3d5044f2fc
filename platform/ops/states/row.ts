/** What operators are told about a state of workers; texts are Markdown, in the page's voice. */
export type StateRow = [
  state: string,
  /** Which workers have it. */
  whose: string,
  means: string,
  action: string,
  /** How long it takes; empty where that says nothing. */
  takes: string,
];
