import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpenText, Tag, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { MarkdownEditor } from "#web/components/markdown-editor.tsx";
import { TermPicker } from "#web/components/pickers.tsx";
import { TermText } from "#web/components/term-link.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import styles from "#web/features/structure/structure.module.css";
import type { Field } from "#web/features/structure/tree.ts";
import { Chip, chipClass, ChipRow } from "#web/kit/badge.tsx";
import { useDebounced } from "#web/kit/field.tsx";
import { EditButton, InlineForm, useForm } from "#web/kit/form.tsx";
import { plainText } from "#web/kit/markdown-text.ts";
import { Markdown } from "#web/kit/markdown.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

export function Section(
  { title, action, children }: { title: string; action?: ReactNode; children: ReactNode },
) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Waits for a change of a field and reloads what is read of fields. */
export function useFieldChange(): (change: Promise<unknown>) => Promise<void> {
  const queries = useQueryClient();
  return async (change) => {
    await change;
    await refresh(
      queries,
      "/api/datasets/{data_entity_id}/structure",
      "/api/datasetfields",
      "/api/dataentities/{data_entity_id}/activity",
      "/api/activity",
      "/api/terms",
    );
  };
}

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
          : <DescriptionEditor field={field} text={text} onText={setText} />}
      </Section>
      {field.external_description && (
        <Section title={t("structure.descriptionFromTheSourceSystem")}>
          <Markdown text={field.external_description} />
        </Section>
      )}
    </>
  );
}

function DescriptionEditor(
  { field, text, onText }: {
    field: Field;
    text: string;
    onText: (text: string | undefined) => void;
  },
) {
  const change = useFieldChange();
  const form = useForm(
    (description: string | null) =>
      change(
        send("put", "/api/datasetfields/{dataset_field_id}/description", {
          path: { dataset_field_id: field.id },
          body: { description },
        }),
      ),
    () => onText(undefined),
  );
  const save = () => form.submit(text.trim() === "" ? null : text);
  return (
    <InlineForm form={form} onSave={save} onCancel={() => onText(undefined)}>
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

/** Tags of a field; those of its source stay as they are. */
export function FieldTags({ field, can }: { field: Field; can: boolean }) {
  const [adding, setAdding] = useState(false);
  const change = useFieldChange();
  const tags = field.tags ?? [];
  const own = tags.filter(({ external }) => !external).map(({ name }) => name);
  const put = (names: string[]) =>
    change(
      send("put", "/api/datasetfields/{dataset_field_id}/tags", {
        path: { dataset_field_id: field.id },
        body: { tags: names },
      }),
    );
  const remove = async (name: string) => {
    try {
      await put(own.filter((one) => one !== name));
      toast(t("structure.removedTheTag", { name }), { undo: undoing(() => put(own)) });
    } catch (error) {
      complain(t("structure.couldNotRemoveTheTag"), error);
    }
  };
  if (tags.length === 0 && !can) return null;
  return (
    <Section
      title={t("kit.tags")}
      action={can && !adding && (
        <EditButton
          label={t("structure.editTheTags")}
          onClick={() => setAdding(true)}
        />
      )}
    >
      <ChipRow>
        {tags.map(({ id, name, external }) => (
          <Chip
            key={id}
            name={name}
            icon={
              <Tag aria-label={external ? t("structure.tagOfItsSource") : t("structure.tag")} />
            }
            onRemove={can && !external ? () => void remove(name) : undefined}
          />
        ))}
        {tags.length === 0 && <span className="soft">{t("structure.none")}</span>}
      </ChipRow>
      {adding && <AddTag known={own} put={put} onDone={() => setAdding(false)} />}
    </Section>
  );
}

function AddTag(
  { known, put, onDone }: {
    known: string[];
    put: (names: string[]) => Promise<void>;
    onDone: () => void;
  },
) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data } = useQuery(read("/api/tags", { query: { page: 1, size: 10, query } }));
  const form = useForm(put, () => setText(""));
  const add = (name: string) => {
    if (name.trim() === "") return onDone();
    form.submit([...new Set([...known, name.trim()])]);
  };
  return (
    <InlineForm form={form} save={t("kit.add")} onSave={() => add(text)} onCancel={onDone}>
      <SuggestField
        label={t("structure.tag2")}
        autoFocus
        value={text}
        onValue={setText}
        onPick={add}
        onEnter={() => add(text)}
        items={(data?.items ?? []).map(({ name }) => name).filter((name) => !known.includes(name))}
        hint={t("structure.createdIfItDoesNot")}
      />
    </InlineForm>
  );
}

/** Terms of the glossary that a field is linked with; those that its description mentions go with that. */
export function FieldTerms(
  { field, canAdd, canRemove }: { field: Field; canAdd: boolean; canRemove: boolean },
) {
  const [adding, setAdding] = useState(false);
  const { add, remove } = useTermLinks(field);
  const terms = field.terms ?? [];
  const drop = async ({ id, name }: Schema<"TermRef">) => {
    try {
      await remove(id);
      toast(t("structure.removedTheTerm", { name }), { undo: undoing(() => add(id)) });
    } catch (error) {
      complain(t("structure.couldNotRemoveTheTerm"), error);
    }
  };
  if (terms.length === 0 && !canAdd) return null;
  return (
    <Section
      title={t("kit.terms")}
      action={canAdd && !adding && (
        <EditButton
          label={t("structure.editTheTerms")}
          onClick={() => setAdding(true)}
        />
      )}
    >
      <ChipRow>
        {terms.map(({ term, is_description_link: mentioned }) => (
          <span key={`${term.id} ${mentioned}`} className={chipClass}>
            <BookOpenText aria-hidden />
            <Link
              to="/terms/$id"
              params={{ id: String(term.id) }}
              className="truncate"
              title={mentioned
                ? t("structure.theDescriptionMentionsIt")
                : plainText(term.definition)}
            >
              {term.namespace.name}:{term.name}
            </Link>
            {canRemove && !mentioned && (
              <button
                type="button"
                aria-label={t("structure.removeTheTerm", { name: term.name })}
                onClick={() => void drop(term)}
              >
                <X />
              </button>
            )}
          </span>
        ))}
        {terms.length === 0 && <span className="soft">{t("structure.none")}</span>}
      </ChipRow>
      {adding && <AddTerm add={add} onDone={() => setAdding(false)} />}
    </Section>
  );
}

function useTermLinks(field: Field) {
  const change = useFieldChange();
  const path = { dataset_field_id: field.id };
  const add = (term_id: number) =>
    change(
      send("post", "/api/datasetfields/{dataset_field_id}/terms", { path, body: { term_id } }),
    );
  const remove = (term_id: number) =>
    change(
      send("delete", "/api/datasetfields/{dataset_field_id}/terms/{term_id}", {
        path: { ...path, term_id },
      }),
    );
  return { add, remove };
}

function AddTerm({ add, onDone }: { add: (id: number) => Promise<void>; onDone: () => void }) {
  const [term, setTerm] = useState<Schema<"TermRef"> | null>(null);
  const form = useForm(add, onDone);
  return (
    <InlineForm
      form={form}
      save={t("kit.add")}
      onSave={() => term ? form.submit(term.id) : onDone()}
      onCancel={onDone}
    >
      <TermPicker
        label={t("kit.term")}
        autoFocus
        value={term}
        onValue={setTerm}
        error={form.errorOf("term_id")}
      />
    </InlineForm>
  );
}
