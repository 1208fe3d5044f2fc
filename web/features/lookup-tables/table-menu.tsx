import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Menu, MenuItem } from "#web/kit/menu.tsx";
import { toast } from "#web/kit/toast.ts";
import { useCan } from "#web/components/permissions.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import { type LookupTable } from "#web/features/lookup-tables/tables.ts";
import { t } from "#web/messages/text.ts";

// Loaded when it is wanted.
const EditTable = lazyComponent(() =>
  import("#web/features/lookup-tables/table-dialogs.tsx").then((all) => all.EditTable)
);

/** What can be done with a table as a whole. `onDeleted`: goes elsewhere. */
export function TableMenu({ of, onDeleted }: { of: LookupTable; onDeleted?: () => void }) {
  const [doing, setDoing] = useState<"edit" | "delete">();
  const can = useCan();
  const changed = useTablesChanged();
  const close = () => setDoing(undefined);
  const remove = async () => {
    await send("delete", "/api/referencedata/table/{lookup_table_id}", {
      path: { lookup_table_id: of.table_id },
    });
    toast(t("lookup-tables.tableIsDeleted", { name: of.name ?? "" }));
    onDeleted?.();
    await changed();
  };
  const [edits, deletes] = [can("LOOKUP_TABLE_UPDATE"), can("LOOKUP_TABLE_DELETE")];
  if (!edits && !deletes) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton small label={t("lookup-tables.moreFor", { name: of.name ?? "" })}>
            <Ellipsis />
          </IconButton>
        }
      >
        {edits && (
          <MenuItem onClick={() => setDoing("edit")}>
            <Pencil aria-hidden /> {t("lookup-tables.editNameAndDescription")}
          </MenuItem>
        )}
        {deletes && (
          <MenuItem danger onClick={() => setDoing("delete")}>
            <Trash2 aria-hidden /> {t("lookup-tables.deleteTheTable")}
          </MenuItem>
        )}
      </Menu>
      {doing === "edit" && <EditTable of={of} onClose={close} />}
      <Confirm
        open={doing === "delete"}
        onClose={close}
        title={t("lookup-tables.deleteThisLookupTable")}
        action={t("kit.delete")}
        onConfirm={remove}
      >
        <p className="foreign">
          {t("lookup-tables.tableGoes", { name: of.name ?? "", count: of.fields.length })}
        </p>
      </Confirm>
    </>
  );
}
