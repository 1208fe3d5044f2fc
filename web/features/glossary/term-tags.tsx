import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Chip, ChipRow } from "#web/kit/badge.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.tsx";
import { TagField } from "#web/components/names.tsx";
import { useCan } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import styles from "#web/features/glossary/glossary.module.css";
import { t } from "#web/messages/text.ts";

/** The tags of a term. Each change is made at once, and can be taken back. */
export function TermTags({ term }: { term: Schema<"TermDetails"> }) {
  const can = useCan("TERM", term.id);
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const now = (term.tags ?? []).map(({ name }) => name);
  const change = useMutation({
    mutationFn: (tag_name_list: string[]) =>
      send("put", "/api/terms/{term_id}/tags", {
        params: { path: { term_id: term.id } },
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
