import { Link } from "@tanstack/react-router";
import { Star } from "lucide-react";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Checkbox } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import { type Column, textColumn } from "#web/kit/table.tsx";
import { useCan } from "#web/components/permissions.ts";
import { ManagedList, NameDialog, useManaged } from "#web/features/management/managed-list.tsx";
import { t } from "#web/messages/text.ts";

type Tag = Schema<"Tag">;
const touches = ["/api/tags", "/api/terms", "/api/dataentities", "/api/search"];

/** Tags, those that collectors set as well. */
export function Tags() {
  const can = useCan();
  const list = useManaged("/api/tags");
  return (
    <ManagedList<Tag>
      title={t("kit.tags")}
      about={t("management.wordsToFindThingsBy")}
      what="tag"
      {...list}
      columns={columns()}
      form={(close, row) => <TagDialog of={row} onClose={close} />}
      canCreate={can("TAG_CREATE")}
      canEdit={({ external }) => !external && can("TAG_UPDATE")}
      remove={{
        can: ({ external }) => !external && can("TAG_DELETE"),
        send: ({ id }) => send("delete", "/api/tags/{tag_id}", { path: { tag_id: id } }),
        about: ({ usedCount }) => <p>{t("management.tagRemoved", { count: usedCount ?? 0 })}</p>,
        touches,
      }}
      empty={t("management.createTagsHereOrBy")}
    />
  );
}

const columns = (): Column<Tag>[] => [
  textColumn(t("components.tag"), ({ name }) => name),
  {
    name: t("management.kind"),
    cell: ({ important, external }) => (
      <>
        {important && (
          <Badge tone="brand" icon={<Star aria-hidden />}>{t("management.important")}</Badge>
        )}
        {external && <Badge>{t("management.setByACollector")}</Badge>}
      </>
    ),
  },
  {
    name: t("management.uses"),
    right: true,
    cell: ({ id, usedCount }) => (
      <Link to="/search" search={{ tags: String(id) } as never}>{count(usedCount ?? 0)}</Link>
    ),
  },
];

function TagDialog({ of, onClose }: { of: Tag | undefined; onClose: () => void }) {
  const [important, setImportant] = useState(of?.important ?? false);
  return (
    <NameDialog<unknown>
      what="tag"
      isNew={!of}
      initial={of?.name}
      touches={touches}
      onClose={onClose}
      send={(name) =>
        of
          ? send("put", "/api/tags/{tag_id}", {
            path: { tag_id: of.id },
            body: { name, important },
          })
          : send("post", "/api/tags", { body: [{ name, important }] })}
    >
      {() => (
        <Checkbox
          label={t("management.importantShownFirstWhereverThere")}
          checked={important}
          onChange={({ target }) => setImportant(target.checked)}
        />
      )}
    </NameDialog>
  );
}
