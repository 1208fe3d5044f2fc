import { escaped } from "#platform/naming/text.ts";
import type { Item } from "./connector.ts";

/** CATRN of a column of a table or view. */
export function columnCatrn(relation: string, column: string): string {
  return `${relation}/columns/${escaped(column)}`;
}

/** One end of a foreign key. */
export interface KeyEnd {
  /** CATRN of the table. */
  catrn: string;
  /** The table as people write it. */
  name: string;
  columns: string[];
}

/** The entity of a foreign key: which columns of one table refer to which of another one. */
export function foreignKeyItem(key: string, from: KeyEnd, to: KeyEnd): Item {
  const fields = ({ catrn, columns }: KeyEnd) => columns.map((name) => columnCatrn(catrn, name));
  return {
    catrn: `${from.catrn}/foreign_keys/${escaped(key)}`,
    name: `${from.name} → ${to.name}`,
    type: "ENTITY_RELATIONSHIP",
    data_relationship: {
      relationship_type: "ERD",
      source_dataset_catrn: from.catrn,
      target_dataset_catrn: to.catrn,
      details: {
        relationship_entity_name: "ERDRelationship",
        source_dataset_field_catrns_list: fields(from),
        target_dataset_field_catrns_list: fields(to),
      },
    },
  };
}
