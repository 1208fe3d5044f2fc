import { useState } from "react";
import { TextArea } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import { type ExampleForm, useExamplesChanged } from "#web/features/query-examples/examples.ts";
import styles from "#web/features/query-examples/examples.module.css";
import { t } from "#web/messages/text.ts";

/** What a query is for, and the query. `save` sends both. */
export function ExampleDialog<Saved>(
  { title, action, given, save, onSaved, onClose }: {
    title: string;
    action: string;
    given?: ExampleForm;
    save: (form: ExampleForm) => Promise<Saved>;
    onSaved?: (saved: Saved) => void;
    onClose: () => void;
  },
) {
  const [definition, setDefinition] = useState(given?.definition ?? "");
  const [query, setQuery] = useState(given?.query ?? "");
  const changed = useExamplesChanged();
  const form = useForm(async (texts: ExampleForm) => {
    const saved = await save(texts);
    await changed();
    return saved;
  }, (saved) => {
    onClose();
    onSaved?.(saved);
  });
  return (
    <FormDialog
      title={title}
      save={action}
      form={form}
      wide
      disabled={definition.trim() === "" || query.trim() === ""}
      onSave={() => form.submit({ definition, query })}
      onClose={onClose}
    >
      <TextArea
        label={t("query-examples.matchFor")}
        rows={3}
        autoFocus
        value={definition}
        error={form.errorOf("definition")}
        onChange={({ target }) => setDefinition(target.value)}
      />
      <TextArea
        label={t("query-examples.query2")}
        rows={10}
        spellCheck={false}
        className={styles.query}
        value={query}
        error={form.errorOf("query")}
        onChange={({ target }) => setQuery(target.value)}
      />
    </FormDialog>
  );
}
