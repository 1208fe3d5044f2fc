import { type ReactNode, useState } from "react";
import { Checkbox, SearchField } from "#web/kit/field.tsx";
import { type Column, isLinked } from "#web/graph/cards/content.ts";
import { maxRows } from "#web/graph/cards/rows.ts";
import styles from "#web/features/lineage/cards.module.css";
import { t } from "#web/messages/text.ts";

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
