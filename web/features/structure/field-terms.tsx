import { Link } from "@tanstack/react-router";
import { BookOpenText, X } from "lucide-react";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { plainText } from "#web/kit/plain-markdown.ts";
import { chipClass, ChipRow } from "#web/kit/badge.tsx";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { toast } from "#web/kit/toast.ts";
import { TermPicker } from "#web/components/pickers.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import { EditButton, Section, useFieldChanged } from "#web/features/structure/section.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import { t } from "#web/messages/text.ts";

function useTermLinks(field: Field) {
  const changed = useFieldChanged();
  const add = async (term_id: number) => {
    await send("post", "/api/datasetfields/{dataset_field_id}/terms", {
      params: { path: { dataset_field_id: field.id } },
      body: { term_id },
    });
    await changed();
  };
  const remove = async (term_id: number) => {
    await send("delete", "/api/datasetfields/{dataset_field_id}/terms/{term_id}", {
      params: { path: { dataset_field_id: field.id, term_id } },
    });
    await changed();
  };
  return { add, remove };
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

function AddTerm({ add, onDone }: { add: (id: number) => Promise<void>; onDone: () => void }) {
  const [term, setTerm] = useState<Schema<"TermRef"> | null>(null);
  const form = useForm(add, onDone);
  return (
    <InlineForm
      save={t("kit.add")}
      busy={form.busy}
      onSave={() => term ? form.submit(term.id) : onDone()}
      onCancel={onDone}
      messages={form.errorOf("term_id") ? [] : form.rest()}
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
