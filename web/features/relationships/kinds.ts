/** Which relationships are requested, as they are called here. */
export const kinds = [
  ["ALL", "Keys and graph"],
  ["ERD", "Keys between tables"],
  ["GRAPH", "Edges of a graph"],
] as const;

export type Kind = (typeof kinds)[number][0];
export const kindNames: Kind[] = kinds.map(([kind]) => kind);
