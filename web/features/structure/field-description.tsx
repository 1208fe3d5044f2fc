import { useState } from "react";
import { send } from "#web/api/client.ts";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { Markdown } from "#web/kit/markdown.tsx";
import { TermText } from "#web/components/term-link.tsx";
import { MarkdownEditor } from "#web/components/markdown-editor.tsx";
import { EditButton, Section, useFieldChanged } from "#web/features/structure/section.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import { t } from "#web/messages/text.ts";

/** What people wrote of a field, and what its source says. */
export function FieldDescription({ field, can }: { field: Field; can: boolean }) {
  const [text, setText] = useState<string>();
  return (
    <>
      <Section
        title={t("kit.description")}
        action={can && text === undefined && (
          <EditButton
            label={t("structure.editTheDescription")}
            onClick={() => setText(field.internal_description ?? "")}
          />
        )}
      >
        {text === undefined
          ? (
            <TermText
              text={field.internal_description}
              none={t("structure.noDescription")}
            />
          )
          : <Editor field={field} text={text} onText={setText} />}
      </Section>
      {field.external_description && (
        <Section title={t("structure.descriptionFromTheSourceSystem")}>
          <Markdown text={field.external_description} />
        </Section>
      )}
    </>
  );
}

function Editor(
  { field, text, onText }: {
    field: Field;
    text: string;
    onText: (text: string | undefined) => void;
  },
) {
  const changed = useFieldChanged();
  const form = useForm(
    async (description: string | null) => {
      await send("put", "/api/datasetfields/{dataset_field_id}/description", {
        params: { path: { dataset_field_id: field.id } },
        body: { description },
      });
      await changed();
    },
    () => onText(undefined),
  );
  const save = () => form.submit(text.trim() === "" ? null : text);
  return (
    <InlineForm
      onSave={save}
      onCancel={() => onText(undefined)}
      busy={form.busy}
      messages={form.errorOf("description") ? [] : form.rest()}
    >
      <MarkdownEditor
        label={t("kit.description")}
        hideLabel
        autoFocus
        value={text}
        onValue={onText}
        error={form.errorOf("description")}
      />
    </InlineForm>
  );
}
