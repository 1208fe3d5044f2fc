import { useQueryClient } from "@tanstack/react-query";
import { Link2, Pencil, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { ExternalLink, isSafeAddress } from "#web/kit/external-link.tsx";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { complain, undoing } from "#web/components/undo.ts";
import { useAttachments } from "#web/features/entity/files-card.tsx";
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

type LinkForm = Schema<"DataEntityLinkFormData">;

/** What is wrong with a link before it is sent. */
function wrongWith({ name, url }: LinkForm): { name?: string; url?: string } {
  return {
    name: name.trim() ? undefined : t("entity.mustNotBeEmpty"),
    url: isSafeAddress(url) ? undefined : t("entity.addressMustBegin"),
  };
}

const isGood = (link: LinkForm) => Object.values(wrongWith(link)).every((one) => !one);
const clean = ({ name, url }: LinkForm) => ({ name: name.trim(), url: url.trim() });
const none: LinkForm = { name: "", url: "" };

/** Adds one link or several. */
function AddLinks({ id, onClose }: { id: number; onClose: () => void }) {
  const [links, setLinks] = useState<(LinkForm & { key: number })[]>([{ ...none, key: 0 }]);
  const [tried, setTried] = useState(false);
  const reread = useReread();
  const form = useForm(async (items: LinkForm[]) => {
    await send("post", "/api/dataentities/{data_entity_id}/links", {
      params: { path: { data_entity_id: id } },
      body: { items },
    });
    await reread();
    return items.length;
  }, (many) => {
    onClose();
    toast(t("entity.linksAdded", { many }));
  });
  const submit = () => {
    setTried(true);
    if (links.every(isGood)) form.submit(links.map(clean));
  };
  const set = (at: number, link: LinkForm) =>
    setLinks(links.map((one, index) => index === at ? { ...one, ...link } : one));
  const fields = links.map((link, at) => (
    <LinkFields
      key={link.key}
      value={link}
      onValue={(now) => set(at, now)}
      errors={{
        name: form.errorOf(`items[${at}].name`),
        url: form.errorOf(`items[${at}].url`),
        ...tried ? known(wrongWith(link)) : {},
      }}
      onRemove={links.length > 1 ? () => setLinks(links.filter((_, i) => i !== at)) : undefined}
    />
  ));
  return (
    <FormDialog
      title={t("entity.addLinks")}
      save={t("kit.add")}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      {fields}
      <div>
        <Button
          small
          onClick={() => setLinks([...links, { ...none, key: links.at(-1)!.key + 1 }])}
        >
          <Plus aria-hidden /> {t("entity.anotherLink")}
        </Button>
      </div>
    </FormDialog>
  );
}

function EditLink(
  { id, of, onClose }: { id: number; of: Schema<"DataEntityLink">; onClose: () => void },
) {
  const [link, setLink] = useState<LinkForm>({ name: of.name, url: of.url });
  const [tried, setTried] = useState(false);
  const reread = useReread();
  const form = useForm(async (body: LinkForm) => {
    await send("put", "/api/dataentities/{data_entity_id}/links/{link_id}", {
      params: { path: { data_entity_id: id, link_id: of.id } },
      body,
    });
    await reread();
  }, () => {
    onClose();
    toast(t("entity.linkSaved"));
  });
  const submit = () => {
    setTried(true);
    if (isGood(link)) form.submit(clean(link));
  };
  const errors = {
    name: form.errorOf("name"),
    url: form.errorOf("url"),
    ...tried ? known(wrongWith(link)) : {},
  };
  return (
    <FormDialog
      title={t("entity.edit", { name: of.name })}
      save={t("kit.save")}
      form={form}
      onSave={submit}
      onClose={onClose}
    >
      <LinkFields value={link} onValue={setLink} errors={errors} />
    </FormDialog>
  );
}

function known(errors: { name?: string; url?: string }) {
  return Object.fromEntries(Object.entries(errors).filter(([, message]) => message));
}

function useReread() {
  const queries = useQueryClient();
  return () => refresh(queries, "/api/dataentities/{data_entity_id}/attachments");
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
