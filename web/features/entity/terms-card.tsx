import { Link } from "@tanstack/react-router";
import { BookOpenText, Plus, X } from "lucide-react";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { plainText } from "#web/kit/markdown-text.ts";
import { IconButton } from "#web/kit/button.tsx";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.ts";
import { TermPicker } from "#web/components/pickers.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import { type CardOf, type Details, useChanged } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

type LinkedTerm = Schema<"LinkedTerm">;

/** Glossary terms of the asset: linked by hand, or mentioned in the description. */
export function TermsCard({ of, can }: CardOf) {
  const [adding, setAdding] = useState(false);
  const terms = of.terms ?? [];
  const { add, remove } = useTerms(of);
  return (
    <Card
      title={t("kit.terms")}
      actions={can("DATA_ENTITY_ADD_TERM") && !adding && (
        <IconButton
          label={t("entity.linkATerm")}
          small
          onClick={() => setAdding(true)}
        >
          <Plus />
        </IconButton>
      )}
    >
      <div className={styles.tight}>
        {adding && <Add onAdd={add} onDone={() => setAdding(false)} />}
        {terms.length === 0 && !adding && <span className="soft">{t("entity.noTermsYet")}</span>}
        <ul className={styles.list}>
          {terms.map((one) => (
            <Term
              key={`${one.term.id}-${one.is_description_link}`}
              of={one}
              onRemove={can("DATA_ENTITY_DELETE_TERM") ? () => remove(one) : undefined}
            />
          ))}
        </ul>
      </div>
    </Card>
  );
}

function Term(
  { of: { term, is_description_link }, onRemove }: { of: LinkedTerm; onRemove?: () => void },
) {
  const name = `${term.namespace.name}:${term.name}`;
  return (
    <li>
      <BookOpenText aria-hidden />
      <span className={styles.grow}>
        <Link
          to="/terms/$id"
          params={{ id: String(term.id) }}
          className="foreign"
          title={plainText(term.definition)}
        >
          {name}
        </Link>
        {is_description_link && <div className="soft">{t("entity.mentionedInTheDescription")}</div>}
      </span>
      {onRemove && !is_description_link && (
        <IconButton small label={t("entity.unlink", { name })} onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </li>
  );
}

function Add({ onAdd, onDone }: { onAdd: (id: number) => Promise<void>; onDone: () => void }) {
  const [term, setTerm] = useState<Schema<"TermRef"> | null>(null);
  const [missing, setMissing] = useState(false);
  const form = useForm(onAdd, onDone);
  const error = form.errorOf("term_id") ?? (missing && !term ? t("entity.chooseATerm") : undefined);
  return (
    <InlineForm
      form={form}
      save={t("kit.link")}
      onSave={() => term ? form.submit(term.id) : setMissing(true)}
      onCancel={onDone}
    >
      <TermPicker label={t("kit.term")} value={term} onValue={setTerm} error={error} autoFocus />
    </InlineForm>
  );
}

function useTerms({ id, terms }: Details) {
  const changed = useChanged(id);
  const path = { data_entity_id: id };
  const link = async (term_id: number): Promise<LinkedTerm> => {
    const made = await send("post", "/api/dataentities/{data_entity_id}/terms", {
      path,
      body: { term_id },
    });
    changed((now) => ({ terms: [...without(now.terms, term_id), made] }));
    return made;
  };
  const unlink = async (term_id: number): Promise<void> => {
    await send("delete", "/api/dataentities/{data_entity_id}/terms/{term_id}", {
      path: { ...path, term_id },
    });
    changed((now) => ({ terms: without(now.terms, term_id) }));
  };
  return {
    add: async (term_id: number): Promise<void> => {
      const isLinked = terms?.some((one) => one.term.id === term_id && !one.is_description_link);
      const { term } = await link(term_id);
      if (isLinked) return;
      toast(t("entity.isLinked", { name: term.name }), { undo: undoing(() => unlink(term_id)) });
    },
    remove: async ({ term }: LinkedTerm): Promise<void> => {
      try {
        await unlink(term.id);
      } catch (error) {
        return complain(t("entity.isStillLinked", { name: term.name }), error);
      }
      toast(t("entity.isUnlinked", { name: term.name }), { undo: undoing(() => link(term.id)) });
    },
  };
}

/** The linked terms but for this one; that the description mentions it stays. */
function without(terms: LinkedTerm[] | null | undefined, id: number): LinkedTerm[] {
  return (terms ?? []).filter(({ term, is_description_link }) =>
    term.id !== id || is_description_link
  );
}
