import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Field } from "#web/kit/field.tsx";
import { bytes } from "#web/kit/numbers.ts";
import { Failure, Note } from "#web/kit/states.tsx";
import { type Column, Table, textColumn } from "#web/kit/table.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { describingPart } from "#web/features/management/file-part.ts";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

type Described = Schema<"DescribedFile">;

/** Milliseconds between two looks for the new dataset. */
const pollMs = 1_000;

const endings = ".parquet,.csv,.tsv,.json,.jsonl,.ndjson,.gz";

/** Makes a file of this computer a dataset with its fields; only the part that tells them is sent. */
export function DescribeFile({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const describe = useMutation({
    mutationFn: async (given: File) => {
      const form = new FormData();
      form.set("file", await describingPart(given), given.name);
      form.set("size", String(given.size));
      return await send("post", "/api/files/describe", { body: form as never });
    },
    onSuccess: () => refresh(queries, "/api/datasources", "/api/search"),
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("management.describeAFile")}
      about={t("management.parquetCsvTsvOrJson")}
      actions={
        <>
          <Button onClick={onClose}>
            {describe.data ? t("management.done") : t("kit.cancel")}
          </Button>
          <Button
            variant="primary"
            disabled={!file}
            busy={describe.isPending}
            onClick={() => file && describe.mutate(file)}
          >
            {t("management.createDataset")}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <Field label={t("management.file")} hint={file && bytes(file.size)}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept={endings}
              onChange={({ target }) => {
                describe.reset();
                setFile(target.files?.[0]);
              }}
            />
          )}
        </Field>
        {describe.isError && <Failure error={describe.error} />}
        {describe.data && <Result of={describe.data} />}
      </div>
    </Dialog>
  );
}

const columns = (): Column<Described["fields"][number]>[] => [
  textColumn(t("management.field"), ({ name }) => name),
  { name: t("kit.type"), cell: ({ type }) => <span className="foreign mono">{type}</span> },
];

/** What was found, with a link as soon as the dataset is in the catalogue. */
function Result({ of }: { of: Described }) {
  const { data } = useQuery({
    ...read("/api/dataentities", { query: { catrn: of.catrn, page: 1, size: 1 } }),
    refetchInterval: ({ state }) => state.data?.items.length ? false : pollMs,
  });
  const entity = data?.items[0];
  return (
    <>
      <Note tone="good">
        <Rich
          of="management.withFields"
          values={{
            dataset: entity
              ? <EntityLink of={entity} />
              : <span className="foreign">{of.name}</span>,
            fields: of.fields.length,
            rows: of.rows ?? 0,
            known: of.rows == null ? "no" : "yes",
          }}
        />
        {!entity && ` ${t("management.appearsShortly")}`}
      </Note>
      <Table
        label={t("management.fields")}
        columns={columns()}
        rows={of.fields}
        keyOf={({ name }) => name}
      />
    </>
  );
}
