import { Ellipsis, KeyRound, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/confirm.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Menu, MenuItem } from "#web/kit/menu.tsx";
import { listText } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.tsx";
import { useCan } from "#web/components/permissions.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import {
  type Column,
  type LookupTable,
  rulesOf,
  typeText,
} from "#web/features/lookup-tables/tables.ts";
import styles from "#web/features/lookup-tables/tables.module.css";
import { t } from "#web/messages/text.ts";

// Loaded when it is wanted.
const EditColumn = lazyComponent(() =>
  import("#web/features/lookup-tables/column-dialog.tsx").then((all) => all.EditColumn)
);

/** Names, types and rules of the columns, with what can be done with each. */
export function GridHead(
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
      params: { path: { lookup_table_id: table.table_id, column_id: of.field_id } },
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
        <p className="foreign">
          {t("lookup-tables.columnGoes", { name: of.name })}
        </p>
      </Confirm>
    </>
  );
}
