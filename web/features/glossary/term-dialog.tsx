import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { toast } from "#web/kit/toast.ts";
import { MarkdownEditor } from "#web/components/markdown-editor.tsx";
import { NamespaceField } from "#web/components/pickers.tsx";
import { t } from "#web/messages/text.ts";

interface TermDialogProps {
  /** The term to change; without it one is made. */
  of?: Schema<"TermDetails">;
  /** Names of the one to make. */
  initial?: { namespace: string; name: string };
  onClose: () => void;
}

/** Makes or changes a term. A new one is shown afterwards. */
export function TermDialog({ of, initial, onClose }: TermDialogProps) {
  const [name, setName] = useState(of?.name ?? initial?.name ?? "");
  const [namespace, setNamespace] = useState(of?.namespace.name ?? initial?.namespace ?? "");
  const [definition, setDefinition] = useState(of?.definition ?? "");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm(
    (body: Schema<"TermFormData">) =>
      of
        ? send("put", "/api/terms/{term_id}", { path: { term_id: of.id }, body })
        : send("post", "/api/terms", { body }),
    async (term) => {
      onClose();
      toast(of ? t("glossary.termSaved") : t("glossary.created", { name: term.name }));
      if (!of) void navigate({ to: "/terms/$id", params: { id: String(term.id) } });
      await refresh(queries, "/api/terms", "/api/namespaces");
    },
  );
  return (
    <FormDialog
      title={of ? t("glossary.change", { name: of.name }) : t("glossary.newTerm")}
      about={of && t("glossary.theNameCanChangeOnly")}
      save={of ? t("kit.save") : t("glossary.define")}
      form={form}
      wide
      onClose={onClose}
      onSave={() =>
        form.submit({ name: name.trim(), namespace_name: namespace.trim(), definition })}
    >
      <TextField
        label={t("kit.name")}
        autoFocus={!of && !initial}
        {...form.field("name", name, setName)}
      />
      <NamespaceField
        value={namespace}
        onValue={setNamespace}
        error={form.errorOf("namespace_name")}
        hint={t("glossary.suchAsATeamOr")}
      />
      <MarkdownEditor
        label={t("glossary.definition")}
        value={definition}
        onValue={setDefinition}
        autoFocus={Boolean(of ?? initial)}
        error={form.errorOf("definition")}
      />
    </FormDialog>
  );
}
