import { oneOf, type Params } from "#web/kit/search-params.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

/** Which relationships are requested. */
const names = {
  ALL: "relationships.keysAndGraph",
  ERD: "relationships.keysBetweenTables",
  GRAPH: "relationships.edgesOfAGraph",
} as const satisfies Record<string, PlainKey>;

export type Kind = keyof typeof names;
const kinds = Object.keys(names) as Kind[];

/** The kind that the address names, else all. */
export function kindOf(params: Params): Kind {
  return oneOf(params.type, kinds) ?? "ALL";
}

/** Kinds with what they are called here. */
export const kindOptions = () => kinds.map((kind) => [kind, t(names[kind])] as const);
