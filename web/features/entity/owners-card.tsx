import { Hand, MessageCircleQuestion, UserPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { buttonClass, IconButton } from "#web/kit/button.tsx";
import { Checkbox } from "#web/kit/field.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.ts";
import { OwnerForm, OwnerList, type OwnershipOf } from "#web/components/owners.tsx";
import { undoing } from "#web/components/undo.ts";
import { nameOf } from "#web/components/entity-link.tsx";
import { mailLink, mailOf } from "#web/components/owner-mail.ts";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { classesOf } from "#web/components/entity-tabs.ts";
import { type CardOf, type Details, useChanged } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";
import { read, type Schema, send } from "#web/api/client.ts";

export function OwnersCard({ of, can }: CardOf) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<OwnershipOf>();
  const { add, retitle, remove } = useOwners(of);
  const members = classesOf(of).has("DATA_ENTITY_GROUP") ? of.items_count ?? 0 : undefined;
  return (
    <Card
      title={t("kit.owners")}
      actions={can("DATA_ENTITY_OWNERSHIP_CREATE") && (
        <IconButton
          label={t("entity.addAnOwner")}
          small
          onClick={() => setAdding(true)}
        >
          <UserPlus />
        </IconButton>
      )}
    >
      <OwnerList
        of={of.ownership ?? []}
        onRetitle={can("DATA_ENTITY_OWNERSHIP_UPDATE") ? retitle : undefined}
        onRemove={can("DATA_ENTITY_OWNERSHIP_DELETE") ? setRemoving : undefined}
        members={members}
      />
      <AskOwner of={of} can={can} />
      {adding && <OwnerForm onSend={add} onClose={() => setAdding(false)} members={members} />}
      {removing && (
        <Leave
          removing={removing}
          members={members}
          onRemove={remove}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

function Leave(
  { removing, members, onRemove, onClose }: {
    removing: OwnershipOf;
    members: number | undefined;
    onRemove: (removing: OwnershipOf, propagate: boolean) => Promise<void>;
    onClose: () => void;
  },
) {
  const [propagate, setPropagate] = useState(false);
  return (
    <Confirm
      open
      onClose={onClose}
      title={t("entity.removeAsOwner", { name: removing.owner.name })}
      action={t("entity.remove")}
      onConfirm={() => onRemove(removing, propagate)}
    >
      {t("entity.theyNoLongerGetAlerts")}
      {members !== undefined && (
        <Checkbox
          checked={propagate}
          onChange={(event) => setPropagate(event.target.checked)}
          label={t("entity.alsoFromMembers", { count: members })}
        />
      )}
    </Confirm>
  );
}

type TitleForm = Schema<"OwnershipUpdateFormData">;

/**
 * Adds, changes and removes owners of an entity. Each can be taken back, but for what went to the members of a group as
 * well: of these some had the owner before.
 */
function useOwners(of: Details) {
  const calls = useCalls(of.id);
  return {
    add: async (form: Schema<"OwnershipFormData">): Promise<void> => {
      const made = await calls.add(form);
      // One that the source of the entity declares becomes one that people gave.
      const isNew = !of.ownership?.some(({ owner }) => owner.id === made.owner.id);
      const undo = isNew && !form.propagate ? undoing(() => calls.remove(made, false)) : undefined;
      toast(t("entity.ownsItNow", { name: made.owner.name }), { undo });
    },
    retitle: async (ownership: OwnershipOf, form: TitleForm): Promise<void> => {
      await calls.retitle(ownership, form);
      const title_name = ownership.title?.name ?? null;
      const back = () => calls.retitle(ownership, { title_name, propagate: false });
      toast(t("entity.responsibilitySaved"), { undo: form.propagate ? undefined : undoing(back) });
    },
    remove: async (ownership: OwnershipOf, propagate: boolean): Promise<void> => {
      await calls.remove(ownership, propagate);
      const { owner, title } = ownership;
      const form = { owner_name: owner.name, title_name: title?.name ?? null, propagate: false };
      const undo = propagate ? undefined : undoing(() => calls.add(form));
      toast(t("entity.noLongerOwnsIt", { name: owner.name }), { undo });
    },
  };
}

/** The calls, each with what it changes of the details that are shown. */
function useCalls(id: number) {
  const changed = useChanged(id);
  const path = { data_entity_id: id };
  const without = (list: Details["ownership"], gone: OwnershipOf) =>
    (list ?? []).filter((one) => one.id !== gone.id);
  return {
    add: async (body: Schema<"OwnershipFormData">): Promise<OwnershipOf> => {
      const made = await send("post", "/api/dataentities/{data_entity_id}/ownership", {
        path,
        body,
      });
      changed(({ ownership }) => ({ ownership: [...without(ownership, made), made] }));
      return made;
    },
    retitle: async (ownership: OwnershipOf, body: TitleForm): Promise<void> => {
      const made = await send(
        "put",
        "/api/dataentities/{data_entity_id}/ownership/{ownership_id}",
        { path: { ...path, ownership_id: ownership.id }, body },
      );
      changed((now) => ({
        ownership: (now.ownership ?? []).map((one) => one.id === ownership.id ? made : one),
      }));
    },
    remove: async (ownership: OwnershipOf, propagate: boolean): Promise<void> => {
      await send("delete", "/api/dataentities/{data_entity_id}/ownership/{ownership_id}", {
        path: { ...path, ownership_id: ownership.id },
        query: { propagate },
      });
      changed((now) => ({ ownership: without(now.ownership, ownership) }));
    },
  };
}

/**
 * Ways to reach the owners of an asset: the chat where one is connected, else mail. Users who cannot add owners can request to
 * become one the same way; nothing where there is nobody to write to.
 */
function AskOwner({ of, can }: CardOf) {
  const features = useQuery({ ...read("/api/features/active"), staleTime: Infinity });
  const signsIn = useAppInfo().data?.authType !== "DISABLED";
  const own = useIdentity().data?.owner?.id;
  const owners = (of.ownership ?? []).map(({ owner }) => owner);
  const chat = features.data?.items.includes("DATA_COLLABORATION") ?? false;
  const mail = owners.map(({ associated_user }) => mailOf(associated_user)).find(Boolean);
  if (!chat && !mail) return null;
  const name = nameOf(of);
  const className = buttonClass({ small: true });
  const way = (text: string, subject: string, icon: ReactNode) =>
    chat
      ? (
        <Link
          className={className}
          to="/dataentities/$id/discussions"
          params={{ id: String(of.id) }}
          search={{ text: subject } as never}
        >
          {icon} {text}
        </Link>
      )
      : <a className={className} href={mailLink(mail!, subject)}>{icon} {text}</a>;
  const isOwn = owners.some(({ id }) => id === own);
  return (
    <div className={styles.ask}>
      {owners.length > 0 && !isOwn &&
        way(
          t("entity.askTheOwner"),
          t("entity.aQuestionAbout", { name }),
          <MessageCircleQuestion aria-hidden />,
        )}
      {signsIn && !isOwn && !can("DATA_ENTITY_OWNERSHIP_CREATE") &&
        way(
          t("entity.requestOwnership"),
          t("entity.iWouldLikeToOwn", { name }),
          <Hand aria-hidden />,
        )}
    </div>
  );
}
