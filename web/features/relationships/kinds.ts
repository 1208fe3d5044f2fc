import { type PlainKey, t } from "#web/messages/text.ts";

/** Which relationships are requested. */
const names = {
  ALL: "relationships.keysAndGraph",
  ERD: "relationships.keysBetweenTables",
  GRAPH: "relationships.edgesOfAGraph",
} as const satisfies Record<string, PlainKey>;

export type Kind = keyof typeof names;
export const kindNames = Object.keys(names) as Kind[];

/** Kinds with what they are called here. */
export const kinds = () => kindNames.map((kind) => [kind, t(names[kind])] as const);
