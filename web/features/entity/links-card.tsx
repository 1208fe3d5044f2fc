import { Link2, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { ExternalLink, isSafeAddress } from "#web/kit/external-link.tsx";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { TextField } from "#web/kit/field.tsx";
import { EditButton, FormDialog, useForm } from "#web/kit/form.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import { useAttachments, useRefreshAttachments } from "#web/features/entity/files-card.tsx";
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
                        <EditButton
                          label={t("entity.edit", { name: link.name })}
                          onClick={() => setEditing(link)}
                        />
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
      {adding && <LinksDialog id={id} onClose={() => setAdding(false)} />}
      {editing && <LinksDialog id={id} of={editing} onClose={() => setEditing(undefined)} />}
    </Card>
  );
}

type LinkForm = Schema<"DataEntityLinkFormData">;

const addLinks = (id: number, items: LinkForm[]) =>
  send("post", "/api/dataentities/{data_entity_id}/links", {
    path: { data_entity_id: id },
    body: { items },
  });

const linkPath = "/api/dataentities/{data_entity_id}/links/{link_id}";

function useRemove(id: number) {
  const refreshed = useRefreshAttachments();
  return async ({ id: link_id, name, url }: LinkOf) => {
    try {
      await send("delete", linkPath, { path: { data_entity_id: id, link_id } });
    } catch (error) {
      return complain(t("entity.wasNotDeleted", { name }), error);
    }
    await refreshed();
    const putBack = () => addLinks(id, [{ name, url }]).then(refreshed);
    toast(t("entity.isDeleted", { name }), { undo: undoing(putBack) });
  };
}

/** What is wrong with a link before it is sent. */
function wrongWith({ name, url }: LinkForm): { name?: string; url?: string } {
  return {
    name: name.trim() ? undefined : t("entity.mustNotBeEmpty"),
    url: isSafeAddress(url) ? undefined : t("entity.addressMustBegin"),
  };
}

const isGood = (link: LinkForm) => Object.values(wrongWith(link)).every((one) => !one);
const clean = ({ name, url }: LinkForm) => ({ name: name.trim(), url: url.trim() });

/** Adds one link or several; changes the link `of`. */
function LinksDialog({ id, of, onClose }: { id: number; of?: LinkOf; onClose: () => void }) {
  const [links, setLinks] = useState([{ name: of?.name ?? "", url: of?.url ?? "", key: 0 }]);
  const [tried, setTried] = useState(false);
  const refreshed = useRefreshAttachments();
  const form = useForm(async (items: LinkForm[]) => {
    const path = { data_entity_id: id, link_id: of?.id ?? 0 };
    await (of ? send("put", linkPath, { path, body: items[0]! }) : addLinks(id, items));
    await refreshed();
    return items.length;
  }, (many) => {
    onClose();
    toast(of ? t("entity.linkSaved") : t("entity.linksAdded", { many }));
  });
  const submit = () => {
    setTried(true);
    if (links.every(isGood)) form.submit(links.map(clean));
  };
  const errorOf = (at: number, field: "name" | "url") => {
    const refused = form.errorOf(of ? field : `items[${at}].${field}`);
    return tried ? wrongWith(links[at]!)[field] ?? refused : refused;
  };
  const without = (at: number) => setLinks(links.filter((_, index) => index !== at));
  return (
    <FormDialog
      title={of ? t("entity.edit", { name: of.name }) : t("entity.addLinks")}
      save={of ? t("kit.save") : t("kit.add")}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      {links.map((link, at) => (
        <LinkFields
          key={link.key}
          value={link}
          onValue={(now) => setLinks(links.with(at, { ...link, ...now }))}
          errors={{ name: errorOf(at, "name"), url: errorOf(at, "url") }}
          onRemove={links.length > 1 ? () => without(at) : undefined}
        />
      ))}
      {!of && (
        <div>
          <Button
            small
            onClick={() => setLinks([...links, { name: "", url: "", key: links.at(-1)!.key + 1 }])}
          >
            <Plus aria-hidden /> {t("entity.anotherLink")}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

function LinkFields(
  { value, onValue, errors, onRemove }: {
    value: LinkForm;
    onValue: (value: LinkForm) => void;
    errors: { name?: string; url?: string };
    onRemove?: () => void;
  },
) {
  return (
    <div className={styles.link}>
      <TextField
        label={t("kit.name")}
        value={value.name}
        onChange={(event) => onValue({ ...value, name: event.target.value })}
        error={errors.name}
        autoFocus
      />
      <TextField
        label={t("entity.address")}
        value={value.url}
        inputMode="url"
        placeholder={t("entity.https")}
        onChange={(event) => onValue({ ...value, url: event.target.value })}
        error={errors.url}
      />
      {onRemove && (
        <IconButton
          label={value.name ? t("kit.remove", { name: value.name }) : t("entity.removeThisLink")}
          onClick={onRemove}
        >
          <X />
        </IconButton>
      )}
    </div>
  );
}
