import { useQueryClient } from "@tanstack/react-query";
import { Link2, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { ExternalLink } from "#web/kit/external-link.tsx";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import { useAttachments } from "#web/features/entity/files-card.tsx";
import { AddLinks, EditLink } from "#web/features/entity/link-forms.tsx";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

type LinkOf = Schema<"DataEntityLink">;

/** Links to what is known of the entity elsewhere, such as a runbook. */
export function LinksCard({ id, may }: { id: number; may: boolean }) {
  const attachments = useAttachments(id);
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState<LinkOf>();
  const remove = useRemove(id);
  return (
    <Card
      title={t("entity.links")}
      actions={may && (
        <Button small onClick={() => setAdding(true)}>
          <Plus aria-hidden /> {t("kit.add")}
        </Button>
      )}
    >
      <Shown of={attachments} what={t("entity.links2")} bones={1}>
        {({ links }) =>
          links.length === 0
            ? <span className="soft">{t("entity.noLinksYet")}</span>
            : (
              <ul className={styles.list}>
                {links.map((link) => (
                  <li key={link.id}>
                    <Link2 aria-hidden />
                    <span className={styles.grow}>
                      <ExternalLink to={link.url}>{link.name}</ExternalLink>
                    </span>
                    {may && (
                      <>
                        <IconButton
                          small
                          label={t("entity.edit", { name: link.name })}
                          onClick={() => setEditing(link)}
                        >
                          <Pencil />
                        </IconButton>
                        <IconButton
                          small
                          label={t("entity.delete3", { name: link.name })}
                          onClick={() => void remove(link)}
                        >
                          <Trash2 />
                        </IconButton>
                      </>
                    )}
                  </li>
                ))}
              </ul>
            )}
      </Shown>
      {adding && <AddLinks id={id} onClose={() => setAdding(false)} />}
      {editing && <EditLink id={id} of={editing} onClose={() => setEditing(undefined)} />}
    </Card>
  );
}

function useRemove(id: number) {
  const queries = useQueryClient();
  const reread = () => refresh(queries, "/api/dataentities/{data_entity_id}/attachments");
  const putBack = async ({ name, url }: LinkOf) => {
    await send("post", "/api/dataentities/{data_entity_id}/links", {
      params: { path: { data_entity_id: id } },
      body: { items: [{ name, url }] },
    });
    await reread();
  };
  return async (link: LinkOf) => {
    try {
      await send("delete", "/api/dataentities/{data_entity_id}/links/{link_id}", {
        params: { path: { data_entity_id: id, link_id: link.id } },
      });
    } catch (error) {
      return complain(t("entity.wasNotDeleted", { name: link.name }), error);
    }
    await reread();
    toast(t("entity.isDeleted", { name: link.name }), { undo: undoing(() => putBack(link)) });
  };
}
