import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { count } from "#web/kit/numbers.ts";
import { type ApiColumns, type Column, contentOf, isLinked } from "#web/graph/cards/content.ts";
import { shown } from "#web/graph/shown.ts";
import { readColumns } from "#web/features/lineage/column-answers.ts";
import { useColumnFilter } from "#web/features/lineage/column-filter.tsx";
import type { SidebarProps } from "#web/features/lineage/sidebar-props.ts";
import styles from "#web/features/lineage/sidebar.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Columns that are listed at first; a search finds the others. */
const maxListed = 10;

/** The columns of a dataset, once they are read. */
export function SidebarColumns(props: SidebarProps) {
  const { state, id } = props;
  const [up, down] = useQueries({ queries: readColumns(id, state) })
    .map(({ data }) => data as ApiColumns | undefined);
  if (!up || !down) return null;
  const [card] = contentOf([{ dataset: id, answers: [up, down] }]).cards;
  return <ColumnList {...props} columns={card!.columns} />;
}

/** Columns with lineage first; a click draws the path of one. */
function ColumnList({ state, change, id, columns }: SidebarProps & { columns: readonly Column[] }) {
  const { found, fields } = useColumnFilter(columns, t("lineage.searchColumns"));
  const listed = found.toSorted((a, b) => Number(isLinked(b)) - Number(isLinked(a)))
    .slice(0, maxListed);
  return (
    <section className={styles.section} aria-label={t("kit.columns")}>
      <h3>
        <Rich of="lineage.columns" values={{ length: count(columns.length) }} />
      </h3>
      {fields}
      <ul>
        {listed.map((column) => (
          <li key={column.key} className={styles.column}>
            <button
              type="button"
              aria-pressed={state.column === column.key}
              onClick={() =>
                change({ cards: [...state.cards, id], column: column.key, selected: [] }, true)}
            >
              {shown(column.name)}
            </button>
            {column.type && <span className="soft truncate">{shown(column.type)}</span>}
          </li>
        ))}
      </ul>
      {found.length > listed.length && (
        <p className="soft">
          <Rich
            of="lineage.moreOpenSchema"
            values={{ count: count(found.length - listed.length) }}
            tags={{ link: <Link to="/dataentities/$id/structure" params={{ id: String(id) }} /> }}
          />
        </p>
      )}
    </section>
  );
}
