import { useEffect, useRef, useState } from "react";
import type { Schema } from "#web/api/client.ts";
import { ApiError } from "#web/api/errors.ts";
import { sendFile } from "#web/api/send-file.ts";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Field, SelectField } from "#web/kit/field.tsx";
import { bytes } from "#web/kit/numbers.ts";
import { Note } from "#web/kit/states.tsx";
import { Table, textColumn } from "#web/kit/table.tsx";
import { toast } from "#web/kit/toast.ts";
import { useTablesChanged } from "#web/features/lookup-tables/changed.ts";
import { type LookupTable } from "#web/features/lookup-tables/tables.ts";
import styles from "#web/features/lookup-tables/tables.module.css";
import { t } from "#web/messages/text.ts";

const modes = [
  ["append", "lookup-tables.appendToExistingRows"],
  ["replace", "lookup-tables.replaceAllRows"],
] as const;

function useImport(table: LookupTable, onDone: () => void) {
  const [share, setShare] = useState<number>();
  const [error, setError] = useState<unknown>();
  const changed = useTablesChanged();
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const start = async (file: File, mode: string) => {
    setShare(0);
    setError(undefined);
    running.current = new AbortController();
    const path = "/api/referencedata/table/{lookup_table_id}/data/import"
      .replace("{lookup_table_id}", String(table.table_id));
    try {
      const { inserted } = await sendFile<Schema<"LookupTableImport">>(
        `${path}?mode=${mode}`,
        file,
        { type: "text/csv", onProgress: setShare, signal: running.current.signal },
      );
      toast(t("lookup-tables.imported", { count: inserted }));
      onDone();
      await changed();
    } catch (refused) {
      setError(refused);
    } finally {
      setShare(undefined);
    }
  };
  return { start, share, error };
}

/** Rows from a CSV file, all of them or none; errors are listed by line. */
export function ImportDialog({ table, onClose }: { table: LookupTable; onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const [mode, setMode] = useState("append");
  const { start, share, error } = useImport(table, onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={t("lookup-tables.importRows")}
      about={t("lookup-tables.theFirstLineOfThe")}
      actions={
        <>
          <Button onClick={onClose}>
            {share === undefined ? t("kit.cancel") : t("lookup-tables.stop")}
          </Button>
          <Button
            variant={mode === "replace" ? "danger" : "primary"}
            disabled={!file}
            busy={share !== undefined}
            onClick={() => file && void start(file, mode)}
          >
            {mode === "replace" ? t("lookup-tables.replaceAllRows") : t("lookup-tables.import")}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field
          label={t("lookup-tables.csvFile")}
          hint={file && t("lookup-tables.inUtf8", { size: bytes(file.size) })}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,text/csv"
              onChange={({ target }) => setFile(target.files?.[0])}
            />
          )}
        </Field>
        <SelectField
          label={t("lookup-tables.importMode")}
          options={modes.map(([value, text]) => [value, t(text)] as const)}
          value={mode}
          onChange={({ target }) => setMode(target.value)}
        />
        {share !== undefined && (
          <progress
            className={styles.progress}
            aria-label={t("lookup-tables.sent")}
            value={share < 1 ? share : undefined}
          />
        )}
        {error !== undefined && <Refused error={error} />}
      </div>
    </Dialog>
  );
}

type Problem = ApiError["details"][number];

function Refused({ error }: { error: unknown }) {
  const known = error instanceof ApiError ? error : undefined;
  const lines = known?.details ?? [];
  return (
    <>
      <Note tone="bad">
        {lines.length > 0
          ? t("lookup-tables.nothingWasImported", { count: lines.length })
          : known?.message ?? t("lookup-tables.theImportWasStopped")}
      </Note>
      {lines.length > 0 && (
        <Table
          label={t("lookup-tables.whatIsWrong")}
          rows={lines.map((one, key) => ({ ...one, key }))}
          keyOf={({ key }) => key}
          columns={[
            textColumn(t("lookup-tables.where"), ({ field }: Problem) => field),
            textColumn(t("lookup-tables.what"), ({ message }: Problem) => message),
          ]}
        />
      )}
    </>
  );
}
