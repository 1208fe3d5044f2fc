import { useState } from "react";
import { send } from "#web/api/client.ts";
import { TextField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.ts";
import { InlineForm } from "#web/kit/inline-form.tsx";
import { EditButton, Section, useFieldChanged } from "#web/features/structure/section.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import { t } from "#web/messages/text.ts";

/** The name that people gave a field, to be changed in place. */
export function FieldName({ field, can }: { field: Field; can: boolean }) {
  const [text, setText] = useState<string>();
  const changed = useFieldChanged();
  const form = useForm(
    async (internal_name: string | null) => {
      await send("put", "/api/datasetfields/{dataset_field_id}/name", {
        params: { path: { dataset_field_id: field.id } },
        body: { internal_name },
      });
      await changed();
    },
    () => setText(undefined),
  );
  if (text === undefined && !can && !field.internal_name) return null;
  return (
    <Section
      title={t("structure.displayName")}
      action={can && text === undefined && (
        <EditButton
          label={t("structure.editTheInternalName")}
          onClick={() => setText(field.internal_name ?? "")}
        />
      )}
    >
      {text === undefined
        ? (
          <span className={field.internal_name ? "foreign" : "soft"}>
            {field.internal_name ?? t("structure.none")}
          </span>
        )
        : (
          <InlineForm
            onSave={() => form.submit(text.trim() || null)}
            onCancel={() => setText(undefined)}
            busy={form.busy}
            messages={form.errorOf("internal_name") ? [] : form.rest()}
          >
            <TextField
              label={t("structure.displayName")}
              hideLabel
              autoFocus
              value={text}
              error={form.errorOf("internal_name")}
              hint={t("structure.shownWithTheNameOf")}
              onChange={({ target }) => setText(target.value)}
            />
          </InlineForm>
        )}
    </Section>
  );
}
