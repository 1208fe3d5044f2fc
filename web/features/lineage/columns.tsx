import { type ReactNode, useState } from "react";
import { Checkbox, SearchField } from "#web/kit/field.tsx";
import { type Column, isLinked, maxRows } from "#web/graph/cards/content.ts";
import styles from "#web/features/lineage/cards.module.css";
import { t } from "#web/messages/text.ts";
import { read } from "#web/api/client.ts";
import type { LineageState } from "#web/features/lineage/address.ts";

/** Columns by a part of their name, and those with lineage alone; with the fields that say so where there are many. */
export function useColumnFilter(
  columns: readonly Column[],
  label: string,
): { found: Column[]; fields: ReactNode } {
  const [text, setText] = useState("");
  const [linkedOnly, setLinkedOnly] = useState(false);
  const wanted = text.trim().toLowerCase();
  const found = columns.filter((column) =>
    column.name.toLowerCase().includes(wanted) && (!linkedOnly || isLinked(column))
  );
  const fields = columns.length > maxRows && (
    <div className={styles.find}>
      <SearchField label={label} value={text} onValue={setText} />
      <Checkbox
        label={t("lineage.onlyWithLineage")}
        checked={linkedOnly}
        onChange={() => setLinkedOnly(!linkedOnly)}
      />
    </div>
  );
  return { found, fields };
}

/** The two questions whose answers have all columns of a dataset, with what is known of each side of them. */
export function readColumns(id: number, { asOf, compare }: Pick<LineageState, "asOf" | "compare">) {
  const query = { include_indirect: false, ...(asOf !== null && !compare && { as_of: asOf }) };
  const params = { path: { data_entity_id: id }, query };
  return [
    read("/api/datasets/{data_entity_id}/columns/lineage/upstream", params),
    read("/api/datasets/{data_entity_id}/columns/lineage/downstream", params),
    // What is remembered of another dataset is nothing to show of this one.
  ].map((one) => ({ ...one, placeholderData: undefined }));
}
