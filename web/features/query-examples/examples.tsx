import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { TextArea } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import styles from "#web/features/query-examples/examples.module.css";
import { t } from "#web/messages/text.ts";
import { refresh, type Schema, send } from "#web/api/client.ts";

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
        {...form.field("definition", definition, setDefinition)}
      />
      <TextArea
        label={t("query-examples.query2")}
        rows={10}
        spellCheck={false}
        className={styles.query}
        {...form.field("query", query, setQuery)}
      />
    </FormDialog>
  );
}

export type Example = Schema<"QueryExample">;
type ExampleForm = Schema<"QueryExampleFormData">;

export function createExample(body: ExampleForm): Promise<Schema<"QueryExampleDetails">> {
  return send("post", "/api/queryexample", { body });
}

/** Attaches an example to a data entity. */
export function linkEntity(data_entity_id: number, query_example_id: number) {
  return send("post", "/api/dataentities/{data_entity_id}/queryexample", {
    path: { data_entity_id },
    body: { query_example_id },
  });
}

export function unlinkEntity(data_entity_id: number, example_id: number) {
  return send("delete", "/api/dataentities/{data_entity_id}/queryexample/{example_id}", {
    path: { data_entity_id, example_id },
  });
}

export function linkTerm(term_id: number, query_example_id: number) {
  return send("post", "/api/terms/{term_id}/queryexample", {
    path: { term_id },
    body: { query_example_id },
  });
}

export function unlinkTerm(term_id: number, example_id: number) {
  return send("delete", "/api/terms/{term_id}/queryexample/{example_id}", {
    path: { term_id, example_id },
  });
}

/** Reads again what shows examples, after one was changed. */
export function useExamplesChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => refresh(queries, "/api/queryexample", "/api/terms/{term_id}");
}

/** The first line of what an example is for, to name it by. */
export function titleOf({ definition }: { definition: string }): string {
  const line = definition.trim().split("\n", 1)[0]!;
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}
