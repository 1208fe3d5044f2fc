import { t } from "#web/messages/text.ts";
/** Which relationships are requested, as they are called here. */
export const kinds = () => ([
  ["ALL", t("relationships.keysAndGraph")],
  ["ERD", t("relationships.keysBetweenTables")],
  ["GRAPH", t("relationships.edgesOfAGraph")],
] as const);

export type Kind = (typeof kinds)[number][0];
export const kindNames: Kind[] = kinds().map(([kind]) => kind);
