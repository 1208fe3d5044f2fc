import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { refresh } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { copyText } from "#web/kit/copy.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Menu, MenuItem, MenuRule } from "#web/kit/menu.tsx";
import { toast } from "#web/kit/toast.tsx";
import type { Permission } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import { StatusDialog, type StatusName } from "#web/features/entity/status-dialog.tsx";
import { classesOf, type Details } from "#web/features/entity/details.ts";
import { forget } from "#web/features/entity/use-visit.ts";
import { t } from "#web/messages/text.ts";

// Few people edit groups, and the form brings much with it.
const EditGroup = lazyComponent(() =>
  import("#web/features/entity/group-dialogs.tsx").then((all) => all.EditGroup)
);

/** What can be done with the whole entity. */
export function Actions({ of, can }: { of: Details; can: (one: Permission) => boolean }) {
  const [status, setStatus] = useState<StatusName>();
  const [group, setGroup] = useState(false);
  const isGroup = classesOf(of).has("DATA_ENTITY_GROUP");
  const deleted = of.status.status === "DELETED";
  const copyLink = async () => {
    if (await copyText(location.href)) toast(t("kit.linkCopied"));
  };
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
        <MenuItem onClick={() => void copyLink()}>{t("entity.copyTheLinkToThis")}</MenuItem>
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
    forget(id).then(() => {
      toast(t("entity.removedFromRecentlyViewed"));
      return refresh(queries, "/api/recently-viewed");
    }).catch((error) => complain(t("entity.couldNotRemoveItFrom"), error));
  return <MenuItem onClick={() => void run()}>{t("entity.removeFromRecentlyViewed")}</MenuItem>;
}
