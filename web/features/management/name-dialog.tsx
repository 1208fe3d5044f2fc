import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { refresh } from "#web/api/client.ts";
import { TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { toast } from "#web/kit/toast.ts";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import type { Managed } from "#web/features/management/managed-list.tsx";
import { t } from "#web/messages/text.ts";

/** The form of something that has a name, and what `children` add to it. */
export function NameDialog<Result>(
  { what, initial, isNew, send, touches, onDone, onClose, wide, children }: {
    what: Managed;
    /** The name that it has, or that is proposed. */
    initial?: string;
    isNew: boolean;
    send: (name: string) => Promise<Result>;
    /** Paths whose answers are old then. */
    touches: string[];
    onDone?: (result: Result) => void;
    onClose: () => void;
    wide?: boolean;
    children?: (errorOf: (field: string) => string | undefined) => ReactNode;
  },
) {
  const [name, setName] = useState(initial ?? "");
  const queries = useQueryClient();
  const form = useForm(send, async (result) => {
    onClose();
    toast(
      isNew
        ? t("management.createdNamed", { name: name.trim() })
        : t("management.savedNamed", { name: name.trim() }),
    );
    onDone?.(result);
    await refresh(queries, ...touches);
  });
  return (
    <FormDialog
      title={isNew
        ? t("management.newOf", { what })
        : t("management.change", { initial: initial ?? "" })}
      save={isNew ? t("kit.create") : t("kit.save")}
      form={form}
      wide={wide}
      onClose={onClose}
      onSave={() => form.submit(name.trim())}
    >
      <TextField
        label={t("kit.name")}
        value={name}
        autoFocus
        error={form.errorOf("name")}
        onChange={({ target }) => setName(target.value)}
      />
      {children?.(form.errorOf)}
    </FormDialog>
  );
}
