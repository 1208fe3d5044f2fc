import { Link } from "@tanstack/react-router";
import { Database, Ellipsis, Star as Icon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Badge } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";
import { copyAddress, CopyButton } from "#web/kit/copy.tsx";
import { IconButton } from "#web/kit/button.tsx";
import { TextField } from "#web/kit/field.tsx";
import { EditButton, InlineForm, useForm } from "#web/kit/form.tsx";
import { toast } from "#web/kit/toast.ts";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Menu, MenuItem, MenuRule } from "#web/kit/menu.tsx";
import { type Permission, useCan } from "#web/components/permissions.ts";
import { StaleBadge, StatusBadge } from "#web/components/status.tsx";
import { crumbsOf, groupAt } from "#web/components/crumbs.ts";
import { EntityIcon, nameOf } from "#web/components/entity-link.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import { TrustStrip } from "#web/features/entity/trust-strip.tsx";
import { classesOf } from "#web/components/entity-tabs.ts";
import { type Details, useChanged, useVisit } from "#web/features/entity/use-entity.ts";
import { StatusDialog, type StatusName } from "#web/features/entity/status-dialog.tsx";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";
import { refresh, send } from "#web/api/client.ts";

/** Where the entity is, what it is, and whether one can rely on it: low, because people come for what is below. */
export function Head({ of }: { of: Details }) {
  const can = useCan("DATA_ENTITY", of.id);
  // Whichever tab is open, the entity has been viewed.
  useVisit(of.id);
  return (
    <header className={styles.head}>
      <Breadcrumbs of={of} />
      <div className={styles.line}>
        <div className={styles.name}>
          <span className={styles.bigicon}>
            <EntityIcon of={of.entity_classes} />
          </span>
          <NameEdit key={of.id} of={of} may={can("DATA_ENTITY_INTERNAL_NAME_UPDATE")} />
          <Badge tone="brand">{words(of.type.name)}</Badge>
          <StatusBadge status={of.status} />
          <StaleBadge stale={of.is_stale} />
          {of.manually_created && <Badge tone="info">{t("entity.createdManually")}</Badge>}
        </div>
        <Star key={`s${of.id}`} id={of.id} />
        <Actions of={of} can={can} />
      </div>
      <TrustStrip of={of} />
    </header>
  );
}

/** Where the entity is: its data source, what is within, and what its source calls it. */
function Breadcrumbs({ of }: { of: Details }) {
  const { data_source: source } = of;
  return (
    <nav className={styles.crumbs} aria-label={t("entity.location")}>
      <ol>
        {source && (
          <li>
            <Database aria-hidden />
            <Link
              to="/directory"
              search={{ source: String(source.id) } as never}
              className="truncate"
              title={source.catrn}
            >
              {source.name}
            </Link>
          </li>
        )}
        {crumbsOf(of.catrn).map((crumb) => <li key={crumb.catrn}>{placeOf(of, crumb)}</li>)}
        {of.external_name && (
          <li>
            <span className="truncate" title={of.catrn}>{of.external_name}</span>
          </li>
        )}
      </ol>
      <CopyButton text={of.catrn} what={t("kit.catrn")} />
    </nav>
  );
}

function placeOf(of: Details, crumb: ReturnType<typeof crumbsOf>[number]): ReactNode {
  const group = groupAt(of, crumb);
  if (!group) return <span className="truncate" title={crumb.catrn}>{crumb.text}</span>;
  return (
    <Link
      to="/dataentities/$id/overview"
      params={{ id: String(group.id) }}
      className="truncate"
      title={crumb.catrn}
    >
      {crumb.text}
    </Link>
  );
}

/** The name as the title of the page, and as a field while it is edited. */
function NameEdit({ of, may }: { of: Details; may: boolean }) {
  const [edited, setEdited] = useState<string>();
  const changed = useChanged(of.id);
  const put = async (internal_name: string | null) => {
    const answer = await send("put", "/api/dataentities/{data_entity_id}/name", {
      path: { data_entity_id: of.id },
      body: { internal_name },
    });
    changed(() => ({ internal_name: answer.internal_name }));
  };
  const form = useForm((text: string) => put(text.trim() || null), () => {
    const before = of.internal_name ?? null;
    setEdited(undefined);
    toast(t("entity.nameSaved"), { undo: undoing(() => put(before)) });
  });
  const close = () => {
    setEdited(undefined);
    form.reset();
  };
  if (edited === undefined) {
    return (
      <>
        <h1 className="foreign" title={nameOf(of)}>{nameOf(of)}</h1>
        {may && (
          <EditButton
            label={t("entity.editTheName")}
            onClick={() => setEdited(of.internal_name ?? "")}
          />
        )}
      </>
    );
  }
  return (
    <InlineForm form={form} onSave={() => form.submit(edited)} onCancel={close}>
      <TextField
        label={t("entity.displayName")}
        hint={t("entity.leaveEmptyToUseThe", { externalName: of.external_name })}
        value={edited}
        onChange={(event) => setEdited(event.target.value)}
        error={form.errorOf("internal_name")}
        autoFocus
        size={48}
      />
    </InlineForm>
  );
}

const kind = "DATA_ENTITY";

/** Whether the entity is a favorite of the caller; pressed, it changes that at once. */
function Star({ id }: { id: number }) {
  const queries = useQueryClient();
  const queryKey = ["/api/favorites/status", kind, id];
  const status = useQuery({
    queryKey,
    queryFn: async () => {
      const body = [{ asset_kind: kind, asset_id: id } as const];
      return (await send("post", "/api/favorites/status", { body })).length > 0;
    },
  });
  const change = useMutation({
    mutationFn: async (on: boolean): Promise<void> => {
      const path = { asset_kind: kind, asset_id: id } as const;
      await send(on ? "put" : "delete", "/api/favorites/{asset_kind}/{asset_id}", { path });
    },
    onMutate: (on) => void queries.setQueryData(queryKey, on),
    onError: (error, on) => {
      queries.setQueryData(queryKey, !on);
      complain(t("entity.couldNotChangeTheFavorite"), error);
    },
    onSuccess: () => refresh(queries, "/api/favorites/list"),
  });
  const on = status.data ?? false;
  return (
    <IconButton
      label={t("entity.favorite")}
      variant="plain"
      aria-pressed={on}
      className={on ? styles.starred : undefined}
      disabled={status.data === undefined}
      onClick={() => change.mutate(!on)}
    >
      <Icon />
    </IconButton>
  );
}

// Few people edit groups, and the form brings much with it.
const EditGroup = lazyComponent(() =>
  import("#web/features/entity/group-dialogs.tsx").then((all) => all.EditGroup)
);

function Actions({ of, can }: { of: Details; can: (one: Permission) => boolean }) {
  const [status, setStatus] = useState<StatusName>();
  const [group, setGroup] = useState(false);
  const isGroup = classesOf(of).has("DATA_ENTITY_GROUP");
  const deleted = of.status.status === "DELETED";
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("kit.actions")} variant="plain">
            <Ellipsis />
          </IconButton>
        }
      >
        {can("DATA_ENTITY_STATUS_UPDATE") && (
          <MenuItem onClick={() => setStatus(deleted ? "UNASSIGNED" : of.status.status)}>
            {deleted ? t("entity.restore") : t("entity.changeTheStatus")}
          </MenuItem>
        )}
        {of.manually_created && isGroup && can("DATA_ENTITY_GROUP_UPDATE") && (
          <MenuItem onClick={() => setGroup(true)}>{t("entity.editTheGroup")}</MenuItem>
        )}
        {isGroup && (
          <MenuItem
            render={
              <Link to="/lineage" search={{ ids: String(of.id), mode: "members" } as never} />
            }
          >
            {t("entity.lineageOfTheGroup")}
          </MenuItem>
        )}
        <MenuItem onClick={() => void copyAddress()}>{t("entity.copyTheLinkToThis")}</MenuItem>
        <Forget id={of.id} />
        {can("DATA_ENTITY_STATUS_UPDATE") && !deleted && (
          <>
            <MenuRule />
            <MenuItem danger onClick={() => setStatus("DELETED")}>{t("entity.delete")}</MenuItem>
          </>
        )}
      </Menu>
      {status && <StatusDialog of={of} first={status} onClose={() => setStatus(undefined)} />}
      {group && <EditGroup of={of} onClose={() => setGroup(false)} />}
    </>
  );
}

function Forget({ id }: { id: number }) {
  const queries = useQueryClient();
  const run = () =>
    send("delete", "/api/recently-viewed/{asset_kind}/{asset_id}", {
      path: { asset_kind: kind, asset_id: id },
    }).then(() => {
      toast(t("entity.removedFromRecentlyViewed"));
      return refresh(queries, "/api/recently-viewed");
    }).catch((error) => complain(t("entity.couldNotRemoveItFrom"), error));
  return <MenuItem onClick={() => void run()}>{t("entity.removeFromRecentlyViewed")}</MenuItem>;
}
