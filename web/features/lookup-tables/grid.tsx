import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { Ellipsis, KeyRound, Pencil, Trash2 } from "lucide-react";
import { totalOf, usePages } from "#web/api/pages.ts";
import { send } from "#web/api/client.ts";
import { Empty, Pending } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Menu, MenuItem } from "#web/kit/menu.tsx";
import { listText } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.ts";
import { useCan } from "#web/components/permissions.ts";
import { GridRow, RowEditor } from "#web/features/lookup-tables/grid-row.tsx";
import {
  type Column,
  type LookupTable,
  type Row,
  rowsOfPages,
  rulesOf,
  typeText,
} from "#web/features/lookup-tables/tables.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import styles from "#web/features/lookup-tables/tables.module.css";
import { t } from "#web/messages/text.ts";

/** The key, the columns of data, and the buttons: the same widths in each row, whatever it holds. */
const tracks = (columns: number) => ({
  gridTemplateColumns: `5rem repeat(${columns - 1}, minmax(0, 1fr)) 6rem`,
  minWidth: `${11 + 11 * (columns - 1)}rem`,
});

/** The grid: the newest rows first, only those in view drawn, one of them edited in its place. */
export function Grid(
  { table, adding, onAdding }: {
    table: LookupTable;
    adding: boolean;
    onAdding: (adding: boolean) => void;
  },
) {
  const pages = usePages("/api/referencedata/table/{lookup_table_id}/data", {
    path: { lookup_table_id: table.table_id },
  }, 100);
  const read = pages.data?.pages as { items: Row[] }[] | undefined;
  const rows = useMemo(() => rowsOfPages(read ?? []), [read]);
  if (!pages.data) {
    const pending = <Pending of={pages} what={t("lookup-tables.rows")} bones={10} />;
    return pages.error ? pending : <div className={styles.frame}>{pending}</div>;
  }
  const more = () => void (pages.hasNextPage && !pages.isFetchingNextPage && pages.fetchNextPage());
  return (
    <div className={styles.frame}>
      <Rows table={table} rows={rows} adding={adding} onAdding={onAdding} onEnd={more} />
      {rows.length === 0 && !adding && (
        <Empty title={t("lookup-tables.noRowsYet")}>{t("lookup-tables.addOneOrImportA")}</Empty>
      )}
      <More
        shown={rows.length}
        total={totalOf(pages.data)}
        hasNext={pages.hasNextPage}
        busy={pages.isFetchingNextPage}
        onMore={more}
      />
    </div>
  );
}

interface RowsProps {
  table: LookupTable;
  rows: Row[];
  adding: boolean;
  onAdding: (adding: boolean) => void;
  onEnd: () => void;
}

/** Which rows are drawn, and where. A row that is being added stands first, as undefined. */
function useDrawnRows({ rows, adding, onEnd }: RowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const shown: (Row | undefined)[] = useMemo(
    () => adding ? [undefined, ...rows] : rows,
    [adding, rows],
  );
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 38,
    overscan: 10,
    getItemKey: (index) => shown[index]?.row_id ?? "new",
  });
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= shown.length - 5) onEnd();
  }, [last, rows.length]);
  useEffect(() => {
    if (adding) virtual.scrollToIndex(0);
  }, [adding]);
  return { frame, shown, virtual };
}

function Rows(props: RowsProps) {
  const { table, onAdding } = props;
  const [edited, setEdited] = useState<{ row: number; field?: number }>();
  const can = useCan();
  const rights = { edit: can("LOOKUP_TABLE_DATA_UPDATE"), delete: can("LOOKUP_TABLE_DATA_DELETE") };
  const { frame, shown, virtual } = useDrawnRows(props);
  const widths = tracks(table.fields.length);
  return (
    <div
      ref={frame}
      className={styles.scroll}
      role="table"
      aria-label={t("lookup-tables.rows2")}
      tabIndex={0}
    >
      <div role="rowgroup" className={styles.headgroup}>
        <GridHead table={table} style={widths} />
      </div>
      <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = shown[index];
          const style = { ...widths, top: start };
          const place = { ref: virtual.measureElement, "data-index": index, style };
          const common = { place, table };
          return row === undefined || edited?.row === row.row_id
            ? (
              <RowEditor
                key={key}
                {...common}
                row={row}
                first={edited?.field}
                onDone={() => row ? setEdited(undefined) : onAdding(false)}
              />
            )
            : (
              <GridRow
                key={key}
                {...common}
                row={row}
                rights={rights}
                onEdit={(field) => setEdited({ row: row.row_id, field })}
              />
            );
        })}
      </div>
    </div>
  );
}

// Loaded when it is wanted.
const EditColumn = lazyComponent(() =>
  import("#web/features/lookup-tables/column-dialogs.tsx").then((all) => all.EditColumn)
);

/** Names, types and rules of the columns, with what can be done with each. */
function GridHead(
  { table, style }: {
    table: LookupTable;
    style: { gridTemplateColumns: string; minWidth: string };
  },
) {
  return (
    <div role="row" className={styles.head} style={style}>
      {table.fields.map((column) => (
        <div key={column.field_id} role="columnheader">
          <Heading of={column} />
          {!column.is_primary_key && <ColumnMenu table={table} of={column} />}
        </div>
      ))}
      <div role="columnheader">
        <span className="visually-hidden">{t("kit.actions")}</span>
      </div>
    </div>
  );
}

function Heading({ of }: { of: Column }) {
  const about = [of.is_primary_key ? "" : typeText(of.field_type), ...rulesOf(of)].filter(Boolean);
  return (
    <div className={styles.title} title={of.description?.slice(0, 500)}>
      <div className="truncate">
        {of.is_primary_key && <KeyRound aria-hidden />} {of.name}
      </div>
      <div className="truncate soft">{listText(about)}</div>
    </div>
  );
}

function ColumnMenu({ table, of }: { table: LookupTable; of: Column }) {
  const [doing, setDoing] = useState<"edit" | "delete">();
  const can = useCan();
  const changed = useTablesChanged();
  const close = () => setDoing(undefined);
  const remove = async () => {
    await send("delete", "/api/referencedata/table/{lookup_table_id}/columns/{column_id}", {
      path: { lookup_table_id: table.table_id, column_id: of.field_id },
    });
    toast(t("lookup-tables.columnIsDeleted", { name: of.name }));
    await changed();
  };
  const edits = can("LOOKUP_TABLE_DEFINITION_UPDATE");
  const deletes = can("LOOKUP_TABLE_DEFINITION_DELETE");
  if (!edits && !deletes) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton small label={t("lookup-tables.columnNamed", { name: of.name })}>
            <Ellipsis />
          </IconButton>
        }
      >
        {edits && (
          <MenuItem onClick={() => setDoing("edit")}>
            <Pencil aria-hidden /> {t("lookup-tables.editTheColumn")}
          </MenuItem>
        )}
        {deletes && (
          <MenuItem danger onClick={() => setDoing("delete")}>
            <Trash2 aria-hidden /> {t("lookup-tables.deleteTheColumn")}
          </MenuItem>
        )}
      </Menu>
      {doing === "edit" && <EditColumn table={table} id={of.field_id} onClose={close} />}
      <Confirm
        open={doing === "delete"}
        onClose={close}
        title={t("lookup-tables.deleteThisColumn")}
        action={t("kit.delete")}
        onConfirm={remove}
      >
        <p className="foreign">{t("lookup-tables.columnGoes", { name: of.name })}</p>
      </Confirm>
    </>
  );
}
