import type { entityTypes, fieldTypes } from "#contract/entities.ts";

/** A neighbour in lineage: its CATRN, and whether it is a job. */
export type Neighbour = [catrn: string, job: boolean];

/** A field: its own CATRN and that of the field it is nested in, name, type, type as its system calls it, description. */
export type FieldRow = [
  catrn: string,
  parent: string | null,
  name: string,
  type: (typeof fieldTypes)[number],
  logicalType: string | null,
  description: string | null,
];

/** A column edge that an entity declares; a path is null for the dataset as a whole. */
export type ColumnRow = [
  target: string,
  targetPath: string | null,
  source: string,
  sourcePath: string | null,
  kind: 0 | 1,
  subtype: string | null,
  masking: boolean | null,
  description: string | null,
];

/** What is exported of an entity. */
export interface ExportedEntity {
  catrn: string;
  /** A dataset, which other datasets may be made from; else a job. */
  dataset: boolean;
  parents: Neighbour[];
  children: Neighbour[];
  /** What is known of it today; absent as of a past time. */
  today?: {
    type: keyof typeof entityTypes | null;
    description: string | null;
    sql: string | null;
    url: string | null;
    fields: FieldRow[];
    columns: ColumnRow[];
    owners: [name: string, title: string | null][];
  };
}

/** A row of a page: an entity as JSON text. */
export interface PageRow {
  id: number;
  /** Whether there are further ones after the page. */
  more: boolean;
  /** Null for one that was not there at the time. */
  json: string | null;
}
