import { type ReactNode, useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { TextArea, TextField } from "#web/kit/field.tsx";
import { NamespaceField } from "#web/components/names.tsx";
import type { Managed } from "#web/features/management/managed-list.tsx";
import { NameDialog } from "#web/features/management/name-dialog.tsx";
import { t } from "#web/messages/text.ts";

interface DescribedSource {
  id: number;
  name: string;
  description?: string | null;
  namespace?: { name: string } | null;
}

/** What a form of a source or a collector holds besides the name. */
interface FormDetails {
  description: string | null;
  namespace_name: string | null;
}

/** Name, namespace and description: what sources and collectors have in common; `children` come first. */
export function DescribedDialog<Result>(
  { what, of, proposed, submit, touches, onDone, onClose, children }: {
    what: Managed;
    of: DescribedSource | undefined;
    /** The name that a new one has at first. */
    proposed?: string;
    submit: (form: { name: string } & FormDetails) => Promise<Result>;
    touches: string[];
    onDone?: (result: Result) => void;
    onClose: () => void;
    children?: (errorOf: (field: string) => string | undefined) => ReactNode;
  },
) {
  const [namespace, setNamespace] = useState(of?.namespace?.name ?? "");
  const [description, setDescription] = useState(of?.description ?? "");
  return (
    <NameDialog
      what={what}
      isNew={!of}
      initial={of?.name ?? proposed}
      touches={touches}
      onDone={onDone}
      onClose={onClose}
      send={(name) =>
        submit({
          name,
          description: description.trim() || null,
          namespace_name: namespace.trim() || null,
        })}
    >
      {(errorOf) => (
        <>
          {children?.(errorOf)}
          <NamespaceField
            value={namespace}
            onValue={setNamespace}
            hint={t("management.optionalCreatedIfNew")}
            error={errorOf("namespace_name")}
          />
          <TextArea
            label={t("kit.description")}
            value={description}
            error={errorOf("description")}
            onChange={({ target }) => setDescription(target.value)}
          />
        </>
      )}
    </NameDialog>
  );
}

const touches = ["/api/datasources", "/api/namespaces", "/api/directory"];

/** The form of a data source. A new one is shown with its token. */
export function SourceDialog(
  { of, onMade, onClose }: {
    of: Schema<"DataSource"> | undefined;
    onMade: (made: Schema<"DataSource">) => void;
    onClose: () => void;
  },
) {
  const [catrn, setCatrn] = useState("");
  return (
    <DescribedDialog<Schema<"DataSource">>
      what="dataSource"
      of={of}
      touches={touches}
      onDone={(made) => !of && onMade(made)}
      onClose={onClose}
      submit={(form) =>
        of
          ? send("put", "/api/datasources/{data_source_id}", {
            params: { path: { data_source_id: of.id } },
            body: form,
          })
          : send("post", "/api/datasources", { body: { ...form, catrn: catrn.trim() } })}
    >
      {(errorOf) =>
        !of && (
          <TextField
            label={t("kit.catrn")}
            value={catrn}
            hint={t("management.theNameUnderWhichIt")}
            error={errorOf("catrn")}
            onChange={({ target }) => setCatrn(target.value)}
          />
        )}
    </DescribedDialog>
  );
}
