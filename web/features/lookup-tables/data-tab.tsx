import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Columns3, Download, Plus, Table as TableIcon, Upload } from "lucide-react";
import { useState } from "react";
import { read } from "#web/api/client.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { Empty, Pending, Shown } from "#web/kit/states.tsx";
import { readDetails } from "#web/components/entity-details.tsx";
import { useCan } from "#web/components/permissions.ts";
import { Grid } from "#web/features/lookup-tables/grid.tsx";
import { TableMenu } from "#web/features/lookup-tables/table-menu.tsx";
import type { LookupTable } from "#web/features/lookup-tables/tables.ts";
import styles from "#web/features/lookup-tables/tables.module.css";
import { t } from "#web/messages/text.ts";

// Loaded when it is wanted.
const ColumnDialog = lazyComponent(() =>
  import("#web/features/lookup-tables/column-dialogs.tsx").then((all) => all.ColumnDialog)
);
const ColumnsDialog = lazyComponent(() =>
  import("#web/features/lookup-tables/column-dialogs.tsx").then((all) => all.ColumnsDialog)
);
const ImportDialog = lazyComponent(() =>
  import("#web/features/lookup-tables/import-dialog.tsx").then((all) => all.ImportDialog)
);

/** The rows of a lookup table, to be read and written. */
export function DataTab() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const entity = useQuery({ ...readDetails(Number(id)), refetchOnMount: false });
  return (
    <Shown of={entity} what={t("lookup-tables.dataEntity")} bones={12}>
      {({ lookup_table_id: table }) =>
        table == null
          ? (
            <Card>
              <Empty title={t("lookup-tables.theDataIsNotStored")} icon={<TableIcon aria-hidden />}>
                {t("lookup-tables.onlyLookupTablesHaveTheir")}
              </Empty>
            </Card>
          )
          : <Data key={table} id={table} />}
    </Shown>
  );
}

function Data({ id }: { id: number }) {
  const table = useQuery({
    ...read("/api/referencedata/table/{lookup_table_id}", { path: { lookup_table_id: id } }),
    placeholderData: undefined,
  });
  if (table.data) return <Editor table={table.data} />;
  const pending = <Pending of={table} what={t("lookup-tables.lookupTable")} bones={12} />;
  return table.error ? pending : <Card>{pending}</Card>;
}

function Editor({ table }: { table: LookupTable }) {
  const [adding, setAdding] = useState(false);
  const can = useCan();
  const navigate = useNavigate();
  const [doing, setDoing] = useState<"column" | "columns" | "import">();
  const writable = table.fields.some(({ is_primary_key }) => !is_primary_key);
  const file = (format: string) =>
    `api/referencedata/table/${table.table_id}/data?format=${format}`;
  return (
    <div className={styles.screen}>
      <Toolbar>
        {writable && can("LOOKUP_TABLE_DATA_CREATE") && (
          <>
            <Button variant="primary" onClick={() => setAdding(true)}>
              <Plus aria-hidden /> {t("lookup-tables.addARow")}
            </Button>
            <Button onClick={() => setDoing("import")}>
              <Upload aria-hidden /> {t("lookup-tables.importCsv")}
            </Button>
          </>
        )}
        {can("LOOKUP_TABLE_DEFINITION_CREATE") && (
          <Button onClick={() => setDoing("column")}>
            <Plus aria-hidden /> {t("lookup-tables.addAColumn")}
          </Button>
        )}
        {writable && can("LOOKUP_TABLE_DEFINITION_UPDATE") && (
          <Button onClick={() => setDoing("columns")}>
            <Columns3 aria-hidden /> {t("lookup-tables.editColumns")}
          </Button>
        )}
        <a className={buttonClass()} href={file("csv")} download>
          <Download aria-hidden /> {t("lookup-tables.csv")}
        </a>
        <a className={buttonClass()} href={file("ndjson")} download>
          <Download aria-hidden /> {t("lookup-tables.ndjson")}
        </a>
        <TableMenu of={table} onDeleted={() => void navigate({ to: "/lookup-tables" })} />
      </Toolbar>
      {writable ? <Grid table={table} adding={adding} onAdding={setAdding} /> : (
        <Card>
          <Empty title={t("lookup-tables.theTableHasNoColumns")} icon={<TableIcon aria-hidden />}>
            {t("lookup-tables.addAColumnThenAdd")}
          </Empty>
        </Card>
      )}
      {doing === "column" && <ColumnDialog table={table} onClose={() => setDoing(undefined)} />}
      {doing === "columns" && <ColumnsDialog table={table} onClose={() => setDoing(undefined)} />}
      {doing === "import" && <ImportDialog table={table} onClose={() => setDoing(undefined)} />}
    </div>
  );
}
