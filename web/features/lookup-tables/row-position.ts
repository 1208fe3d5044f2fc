/** Where a row stands in the grid. */
export interface RowPosition {
  ref: (element: HTMLElement | null) => void;
  "data-index": number;
  style: { gridTemplateColumns: string; minWidth: string; top: number };
}
