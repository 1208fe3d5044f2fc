/** The key of a column over all answers: its dataset, and its name without letter case. */
export function columnKey(dataset: number, name: string): string {
  return `${dataset}.${name.toLowerCase()}`;
}

/** The dataset of a key. */
export function datasetOf(key: string): number {
  return Number(key.slice(0, key.indexOf(".")));
}
