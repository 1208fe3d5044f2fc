import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Card, Columns, Facts } from "#web/kit/page.tsx";
import { Time } from "#web/kit/time.tsx";
import { IconButton } from "#web/kit/button.tsx";
import { toast } from "#web/kit/toast.ts";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { TermText } from "#web/components/term-link.tsx";
import { OwnerForm, OwnerList, type OwnershipOf } from "#web/components/owners.tsx";
import { useCan } from "#web/components/permissions.ts";
import { complain, doUndoable } from "#web/components/undo.ts";
import { TagField } from "#web/components/pickers.tsx";
import { t } from "#web/messages/text.ts";
import styles from "#web/features/glossary/glossary.module.css";

/** What a term means, whose it is, and its tags. */
export function TermOverview({ term }: { term: Schema<"TermDetails"> }) {
  return (
    <Columns
      main={
        <Card title={t("glossary.definition")}>
          <TermText text={term.definition} none={t("glossary.noDefinition")} />
        </Card>
      }
      side={
        <>
          <TermOwners term={term} />
          <TermTags term={term} />
          <Card title={t("glossary.details")}>
            <Facts
              of={[
                [
                  t("glossary.mentionItAs"),
                  <code key="mention" className="foreign">{mentionOf(term)}</code>,
                ],
                [t("glossary.defined"), <Time key="defined" at={term.created_at} />],
                [t("glossary.changed"), <Time key="changed" at={term.updated_at} />],
              ]}
            />
          </Card>
        </>
      }
    />
  );
}

function mentionOf({ name, namespace }: Schema<"TermDetails">): string {
  return `[[${namespace.name}:${name}]]`;
}

/** Who owns a term, with which title. */
function TermOwners({ term }: { term: Schema<"TermDetails"> }) {
  const can = useCan("TERM", term.id);
  const [adding, setAdding] = useState(false);
  const { add, update, remove } = useOwners(term.id);
  return (
    <Card
      title={t("kit.owners")}
      actions={can("TERM_OWNERSHIP_CREATE") && (
        <IconButton
          label={t("glossary.addAnOwner")}
          small
          onClick={() => setAdding(true)}
        >
          <Plus />
        </IconButton>
      )}
    >
      <OwnerList
        of={term.ownership ?? []}
        onRetitle={can("TERM_OWNERSHIP_UPDATE")
          ? ({ id }, { title_name }) => update(id, { title_name })
          : undefined}
        onRemove={can("TERM_OWNERSHIP_DELETE") ? remove : undefined}
      />
      {adding && (
        <OwnerForm
          onSend={({ owner_name, title_name }) => add({ owner_name, title_name })}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  );
}

function useOwners(term_id: number) {
  const queries = useQueryClient();
  const done = () => refresh(queries, "/api/terms", "/api/owners", "/api/titles");
  const add = async (body: Schema<"OwnershipFormData">) => {
    await send("post", "/api/terms/{term_id}/ownership", { path: { term_id }, body });
    await done();
  };
  const update = async (ownership_id: number, body: Schema<"OwnershipUpdateFormData">) => {
    const params = { path: { term_id, ownership_id } };
    await send("put", "/api/terms/{term_id}/ownership/{ownership_id}", { ...params, body });
    await done();
  };
  const remove = ({ id, owner: { name }, title }: OwnershipOf) => {
    const work = async () => {
      await send("delete", "/api/terms/{term_id}/ownership/{ownership_id}", {
        path: { term_id, ownership_id: id },
      });
      await done();
    };
    void doUndoable(work, {
      done: t("glossary.ownsItNoMore", { name }),
      refused: t("glossary.couldNotRemoveTheOwner"),
      undo: () => add({ owner_name: name, title_name: title?.name }),
    });
  };
  return { add, update, remove };
}

/** The tags of a term. Each change is made at once, and can be taken back. */
function TermTags({ term }: { term: Schema<"TermDetails"> }) {
  const can = useCan("TERM", term.id);
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const now = (term.tags ?? []).map(({ name }) => name);
  const change = useMutation({
    mutationFn: (tag_name_list: string[]) =>
      send("put", "/api/terms/{term_id}/tags", {
        path: { term_id: term.id },
        body: { tag_name_list },
      }),
    onSuccess: () => refresh(queries, "/api/terms", "/api/tags"),
    onError: (error) => complain(t("glossary.couldNotChangeTheTags"), error),
  });
  const add = (name: string) => {
    setTyped("");
    if (name && !now.includes(name)) change.mutate([...now, name]);
  };
  const remove = (name: string) => {
    change.mutate(now.filter((one) => one !== name), {
      onSuccess: () => toast(t("glossary.isRemoved", { name }), { undo: () => change.mutate(now) }),
    });
  };
  const mayChange = can("TERM_TAGS_UPDATE");
  return (
    <Card title={t("kit.tags")}>
      <div className={styles.form}>
        {now.length === 0 && !mayChange && <p className="soft">{t("glossary.itHasNone")}</p>}
        <ChipRow>
          {now.map((name) => (
            <Chip
              key={name}
              name={name}
              onRemove={mayChange ? () => remove(name) : undefined}
            />
          ))}
        </ChipRow>
        {mayChange && (
          <TagField
            label={t("glossary.addATag")}
            value={typed}
            onValue={setTyped}
            onEnter={() => add(typed.trim())}
            onPick={add}
          />
        )}
      </div>
    </Card>
  );
}
