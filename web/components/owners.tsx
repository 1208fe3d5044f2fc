import { Link } from "@tanstack/react-router";
import { Cloud, Pencil, UserRound, X } from "lucide-react";
import { useState } from "react";
import type { Schema } from "#web/api/client.ts";
import { useNames } from "#web/components/pickers.tsx";
import { IconButton } from "#web/kit/button.tsx";
import { Checkbox } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import styles from "#web/components/owners.module.css";
import { t } from "#web/messages/text.ts";

export type OwnershipOf = Schema<"Ownership">;
interface TitleForm {
  title_name: string | null;
  propagate: boolean;
}

/**
 * Owners with their titles. What is not given cannot be done, nor what its source tells be changed. `members`: of a group, how
 * many it has.
 */
export function OwnerList(
  { of, onRetitle, onRemove, members }: {
    of: OwnershipOf[];
    onRetitle?: (one: OwnershipOf, form: TitleForm) => Promise<unknown>;
    onRemove?: (one: OwnershipOf) => void;
    members?: number;
  },
) {
  const [editing, setEditing] = useState<OwnershipOf>();
  if (of.length === 0) return <span className="soft">{t("kit.noOwner")}</span>;
  return (
    <ul className={styles.owners}>
      {of.map((one) => (
        <li key={one.id}>
          <UserRound aria-hidden />
          <span className={styles.who}>
            <OwnerLink of={one.owner} title={one.owner.name} />
            {one.title && <span className={`truncate ${styles.title}`}>{one.title.name}</span>}
          </span>
          {one.external && <Cloud aria-label={t("components.fromTheSourceSystem")} />}
          {onRetitle && !one.external && (
            <IconButton
              small
              label={t("components.editResponsibilityOf", { name: one.owner.name })}
              onClick={() => setEditing(one)}
            >
              <Pencil />
            </IconButton>
          )}
          {onRemove && !one.external && (
            <IconButton
              small
              label={t("kit.remove", { name: one.owner.name })}
              onClick={() => onRemove(one)}
            >
              <X />
            </IconButton>
          )}
        </li>
      ))}
      {editing && onRetitle && (
        <OwnerForm
          of={editing}
          onSend={(form) => onRetitle(editing, form)}
          onClose={() => setEditing(undefined)}
          members={members}
        />
      )}
    </ul>
  );
}

/** The name of an owner, leading to their page. */
export function OwnerLink(
  { of: { id, name }, title }: { of: { id: number; name: string }; title?: string },
) {
  return (
    <Link to="/owners/$id" params={{ id: String(id) }} className="truncate" title={title}>
      {name}
    </Link>
  );
}

/** A new owner, or another title of one; names that nobody has yet are made. */
export function OwnerForm(
  { of, onSend, onClose, members }: {
    of?: OwnershipOf;
    onSend: (form: { owner_name: string } & TitleForm) => Promise<unknown>;
    onClose: () => void;
    members?: number;
  },
) {
  const [owner, setOwner] = useState(of?.owner.name ?? "");
  const [title, setTitle] = useState(of?.title?.name ?? "");
  const [propagate, setPropagate] = useState(false);
  const form = useForm(onSend, onClose);
  const submit = () =>
    form.submit({ owner_name: owner.trim(), title_name: title.trim() || null, propagate });
  const errors = { owner: form.errorOf("owner_name"), title: form.errorOf("title_name") };
  return (
    <FormDialog
      title={of
        ? t("components.responsibilityOf", { name: of.owner.name })
        : t("components.addAnOwner")}
      save={of ? t("kit.save") : t("kit.add")}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      {!of && <OwnerName value={owner} onValue={setOwner} error={errors.owner} />}
      <Title value={title} onValue={setTitle} error={errors.title} onEnter={submit} />
      {members !== undefined && (
        <Checkbox
          checked={propagate}
          onChange={(event) => setPropagate(event.target.checked)}
          label={t("components.alsoForMembers", { count: members })}
        />
      )}
    </FormDialog>
  );
}

interface Text {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

function OwnerName(text: Text) {
  const { names, isNew } = useNames("/api/owners", text.value);
  return (
    <SuggestField
      {...text}
      label={t("kit.owner")}
      hint={isNew ? t("components.noOwnerHasThisName") : t("components.aPersonOrATeam")}
      items={names}
      autoFocus
    />
  );
}

function Title({ onEnter, ...text }: Text & { onEnter: () => void }) {
  const { names } = useNames("/api/titles", text.value);
  return (
    <SuggestField
      {...text}
      label={t("components.responsibility")}
      hint={t("components.suchAsDataStewardOptional")}
      items={names}
      onEnter={onEnter}
    />
  );
}
