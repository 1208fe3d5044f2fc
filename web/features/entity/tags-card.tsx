import { Link } from "@tanstack/react-router";
import { Cloud, Star } from "lucide-react";
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { read, type Schema, send } from "#web/api/client.ts";
import { Chip, chipClass, ChipRow } from "#web/kit/badge.tsx";
import { EditButton, InlineForm, useForm } from "#web/kit/form.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.ts";
import { shortCount } from "#web/kit/numbers.ts";
import { SuggestField } from "#web/kit/suggest.tsx";
import { useDebounced } from "#web/kit/field.tsx";
import { undoing } from "#web/components/undo.ts";
import { type CardOf, type Details, useChanged } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

/** Tags that people gave it, which can be changed, and those of its source, which cannot. */
export function TagsCard({ of, can }: CardOf) {
  const [editing, setEditing] = useState(false);
  const tags = of.tags ?? [];
  const shown = editing ? tags.filter(({ external }) => external) : tags;
  return (
    <Card
      title={t("kit.tags")}
      actions={can("DATA_ENTITY_TAGS_UPDATE") && !editing && (
        <EditButton
          label={t("entity.editTheTags")}
          onClick={() => setEditing(true)}
        />
      )}
    >
      <div className={styles.tight}>
        {editing && <Editor of={of} onDone={() => setEditing(false)} />}
        {editing && shown.length > 0 && (
          <span className="soft">{t("entity.fromTheSourceSystem")}</span>
        )}
        {shown.length > 0
          ? <ChipRow>{shown.map((tag) => <TagChip key={tag.id} of={tag} />)}</ChipRow>
          : !editing && <span className="soft">{t("entity.noTagsYet")}</span>}
      </div>
    </Card>
  );
}

function TagChip({ of: { id, name, important, external } }: { of: Schema<"Tag"> }) {
  return (
    <Link
      to="/search"
      search={{ tags: String(id) } as never}
      className={chipClass}
      title={external ? t("entity.fromItsSource", { name }) : name}
    >
      {important && <Star aria-label={t("entity.important")} />}
      {external && <Cloud aria-label={t("entity.fromTheSourceSystem")} />}
      <span className="truncate">{name}</span>
    </Link>
  );
}

function Editor({ of, onDone }: { of: Details; onDone: () => void }) {
  const [before] = useState(() =>
    (of.tags ?? []).filter(({ external }) => !external).map(({ name }) => name)
  );
  const [names, setNames] = useState(before);
  const changed = useChanged(of.id);
  const put = async (tag_name_list: string[]): Promise<void> => {
    const tags = await send("put", "/api/dataentities/{data_entity_id}/tags", {
      path: { data_entity_id: of.id },
      body: { tag_name_list },
    });
    changed(() => ({ tags }));
  };
  const form = useForm(put, () => {
    onDone();
    toast(t("entity.tagsSaved"), { undo: undoing(() => put(before)) });
  });
  return (
    <InlineForm form={form} onSave={() => form.submit(names)} onCancel={onDone}>
      <TagSet value={names} onValue={setNames} error={form.errorOf("tag_name_list")} />
    </InlineForm>
  );
}

/** A set of tags by their names while it is edited; names that no tag has are made when it is saved. */
function TagSet(
  { value, onValue, error }: {
    value: string[];
    onValue: (value: string[]) => void;
    error?: string;
  },
) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const { data } = useQuery(read("/api/tags", { query: { page: 1, size: 12, query } }));
  const known = (data?.items ?? []).filter(({ name }) => !value.includes(name));
  const used = new Map(known.map(({ name, usedCount }) => [name, usedCount]));
  const add = (name: string) => {
    const clean = name.trim();
    if (clean && !value.includes(clean)) onValue([...value, clean]);
    setText("");
  };
  return (
    <>
      {value.length > 0 && (
        <ChipRow>
          {value.map((name) => (
            <Chip
              key={name}
              name={name}
              onRemove={() => onValue(value.filter((one) => one !== name))}
            />
          ))}
        </ChipRow>
      )}
      <SuggestField
        label={t("components.addATag")}
        hint={t("components.pressEnterToAddNew")}
        value={text}
        onValue={setText}
        items={known.map(({ name }) => name)}
        about={(name) => <span className="soft">{shortCount(used.get(name) ?? 0)}</span>}
        onPick={add}
        onEnter={() => add(text)}
        error={error}
        autoFocus
      />
    </>
  );
}
