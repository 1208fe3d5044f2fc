import type { NameParts } from "../text/cursor.ts";
import type { SourceText } from "../text/source.ts";

/** What a query fills. */
export interface Target {
  /** Null where the query stands alone. */
  name: NameParts | null;
  /** The columns that it fills, in order; null when none are named. */
  columns: string[] | null;
  /** How the columns of the query meet those of the target, where `columns` does not tell. */
  by: "position" | "name";
  /** The statement makes the target, with the names of the query. */
  creates: boolean;
  temporary: boolean;
  /** `INSERT … (* EXCEPT (…))` of ClickHouse. */
  without: string[];
  /** The query reads the target as it was before, as an UPDATE does. */
  seesItself: boolean;
  /** Columns of a PARTITION clause; of those with a value the query has none. */
  partition: { name: string; fixed: boolean }[];
}

/** What a statement does with data, as far as it is understood. */
export type Statement =
  | { kind: "write"; into: Target; query: SourceText }
  /** It is read by the parser as a whole. */
  | { kind: "merge" | "insert_all"; text: SourceText }
  | { kind: "define"; into: Target }
  | { kind: "drop"; name: NameParts }
  | { kind: "rename"; name: NameParts; to: NameParts }
  | { kind: "declare"; variables: string[] }
  /** It moves no data. */
  | { kind: "none" }
  /** It may move data, and is not understood. `name`: what it may make or fill. */
  | { kind: "unread"; reason: "syntax" | "statement"; name?: NameParts };

/** A target whose columns are those of a query. */
export const targetOf = (name: NameParts | null, more: Partial<Target> = {}): Target => ({
  name,
  columns: null,
  by: "name",
  creates: false,
  temporary: false,
  without: [],
  seesItself: false,
  partition: [],
  ...more,
});
