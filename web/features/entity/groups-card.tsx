import { FolderPlus, Plus, X } from "lucide-react";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { InlineForm, useForm } from "#web/kit/form.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Card } from "#web/kit/page.tsx";
import { toast } from "#web/kit/toast.ts";
import { EntityLink, nameOf } from "#web/components/entity-link.tsx";
import { useCan } from "#web/components/permissions.ts";
import { EntityPicker } from "#web/components/pickers.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import { type CardOf, useChanged } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

// The form brings much with it.
const CreateGroup = lazyComponent(() =>
  import("#web/features/entity/group-dialogs.tsx").then((all) => all.CreateGroup)
);

type Ref = Schema<"DataEntityRef">;
/** The class of groups, as searches know it. */
const groupClass = 8;

/** Groups that the entity is in. Those of collectors are theirs; those made by hand can be left. */
export function GroupsCard({ of, can }: CardOf) {
  const [adding, setAdding] = useState(false);
  const [making, setMaking] = useState(false);
  const everywhere = useCan();
  const { add, remove } = useGroups(of.id);
  const groups = of.data_entity_groups ?? [];
  return (
    <Card
      title={t("entity.groups")}
      actions={
        <>
          {can("DATA_ENTITY_ADD_TO_GROUP") && !adding && (
            <IconButton
              label={t("entity.addToAGroup")}
              small
              onClick={() => setAdding(true)}
            >
              <Plus />
            </IconButton>
          )}
          {everywhere("DATA_ENTITY_GROUP_CREATE") && (
            <IconButton
              label={t("entity.newGroupWithThisEntity")}
              small
              onClick={() => setMaking(true)}
            >
              <FolderPlus />
            </IconButton>
          )}
        </>
      }
    >
      <div className={styles.tight}>
        {adding && <Add onAdd={add} onDone={() => setAdding(false)} />}
        {groups.length === 0 && !adding && <span className="soft">{t("entity.notInAGroup")}</span>}
        <Groups
          of={groups}
          onRemove={can("DATA_ENTITY_DELETE_FROM_GROUP") ? remove : undefined}
        />
      </div>
      {making && <CreateGroup of={of} onClose={() => setMaking(false)} />}
    </Card>
  );
}

/** `onRemove` is given where the caller may take the entity out of groups that were made by hand. */
function Groups({ of, onRemove }: { of: Ref[]; onRemove?: (group: Ref) => Promise<void> }) {
  return (
    <ul className={styles.list}>
      {of.map((group) => (
        <li key={group.id}>
          <span className={styles.grow}>
            <EntityLink of={group} />
          </span>
          {group.manually_created && onRemove && (
            <IconButton
              small
              label={t("entity.takeOutOf", { group: nameOf(group) })}
              onClick={() => void onRemove(group)}
            >
              <X />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function Add({ onAdd, onDone }: { onAdd: (id: number) => Promise<void>; onDone: () => void }) {
  const [group, setGroup] = useState<Ref | null>(null);
  const [missing, setMissing] = useState(false);
  const form = useForm(onAdd, onDone);
  const error = form.errorOf("data_entity_group_id") ??
    (missing && !group ? t("entity.chooseAGroup") : undefined);
  return (
    <InlineForm
      form={form}
      save={t("kit.add")}
      onSave={() => group ? form.submit(group.id) : setMissing(true)}
      onCancel={onDone}
    >
      <EntityPicker
        label={t("entity.group")}
        hint={t("entity.aManuallyCreatedGroupCollectors")}
        classId={groupClass}
        value={group}
        onValue={setGroup}
        error={error}
        autoFocus
      />
    </InlineForm>
  );
}

function useGroups(id: number) {
  const changed = useChanged(id);
  const path = { data_entity_id: id };
  const add = async (data_entity_group_id: number): Promise<void> => {
    const group = await send("post", "/api/dataentities/{data_entity_id}/data_entity_group", {
      path,
      body: { data_entity_group_id },
    });
    changed(({ data_entity_groups: now }) => ({
      data_entity_groups: [...(now ?? []).filter((one) => one.id !== group.id), group],
    }));
  };
  const remove = async (group: Ref): Promise<void> => {
    try {
      await send(
        "delete",
        "/api/dataentities/{data_entity_id}/data_entity_group/{data_entity_group_id}",
        { path: { ...path, data_entity_group_id: group.id } },
      );
    } catch (error) {
      return complain(t("entity.stillIn", { group: nameOf(group) }), error);
    }
    changed(({ data_entity_groups: now }) => ({
      data_entity_groups: (now ?? []).filter((one) => one.id !== group.id),
    }));
    toast(t("entity.removedFrom", { group: nameOf(group) }), {
      undo: undoing(() => add(group.id)),
    });
  };
  return { add, remove };
}
