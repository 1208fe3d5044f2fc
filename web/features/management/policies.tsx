import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Note, Shown } from "#web/kit/states.tsx";
import { Button } from "#web/kit/button.tsx";
import { Field, TextField } from "#web/kit/field.tsx";
import { FormDialog, useForm } from "#web/kit/form.tsx";
import { toast } from "#web/kit/toast.ts";
import { useCan } from "#web/components/permissions.ts";
import { type JsonSchema, type Problem, problemsOf } from "#web/features/management/json-schema.ts";
import { ManagedList, useManaged } from "#web/features/management/managed-list.tsx";
import { PolicyGuided } from "#web/features/management/policy-guided.tsx";
import { inWords, statementsOf } from "#web/features/management/policy.ts";
import styles from "#web/features/management/management.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Policy = Schema<"Policy">;
/** The policy that is always there. */
const fixed = "Administrator";

/** Policies: documents that say what is allowed on what. The one that is open stands in the address. */
export function Policies() {
  const can = useCan();
  const [{ policy: open }, change] = useParamsOfView();
  const list = useManaged("/api/policies");
  return (
    <>
      <ManagedList<Policy>
        title={t("management.policies")}
        about={t("management.eachGrantsPermissionsOnWhat")}
        what="policy"
        {...list}
        canCreate={can("POLICY_CREATE")}
        onCreate={() => change({ policy: "new" }, true)}
        columns={[{
          name: t("management.policy2"),
          cell: ({ id, name }) => (
            <>
              <Link
                to="/management/$section"
                params={{ section: "policies" }}
                search={{ policy: String(id) } as never}
                className="foreign"
              >
                {name}
              </Link>{" "}
              {name === fixed && <Badge>{t("management.builtIn")}</Badge>}
            </>
          ),
        }]}
        remove={{
          can: ({ name }) => name !== fixed && can("POLICY_DELETE"),
          send: ({ id }) =>
            send("delete", "/api/policies/{policy_id}", { path: { policy_id: id } }),
          about: () => (
            <p>
              <Rich
                of="management.policyDeletable"
                tags={{ role: <Link to="/management/$section" params={{ section: "roles" }} /> }}
              />
            </p>
          ),
          touches: ["/api/policies", "/api/roles"],
        }}
        empty={t("management.aPolicyGrantsPermissionsSuch")}
      />
      {open && <OpenPolicy id={open} onClose={() => change({ policy: undefined })} />}
    </>
  );
}

function OpenPolicy({ id, onClose }: { id: string; onClose: () => void }) {
  const can = useCan();
  const isNew = id === "new";
  const schema = useQuery({ ...read("/api/policies/schema"), staleTime: Infinity });
  const details = useQuery({
    ...read("/api/policies/{policy_id}", { path: { policy_id: Number(id) || 0 } }),
    enabled: !isNew,
    placeholderData: undefined,
    // The edited document must not change while somebody edits it.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (schema.data && (isNew || details.data)) {
    const fits = details.data?.name !== fixed && can(isNew ? "POLICY_CREATE" : "POLICY_UPDATE");
    return (
      <PolicyDialog
        of={isNew ? undefined : details.data}
        schema={schema.data as JsonSchema}
        canSave={fits}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onClose={onClose} title={t("management.policy2")} wide>
      <Shown of={schema.error ? schema : details} what={t("management.policy")} bones={12}>
        {() => null}
      </Shown>
    </Dialog>
  );
}

/** What a new policy begins with. */
const first = {
  statements: [{
    resource: { type: "DATA_ENTITY", conditions: { is: "dataEntity:owner" } },
    permissions: ["DATA_ENTITY_DESCRIPTION_UPDATE"],
  }],
};

interface PolicyDialogProps {
  of: Schema<"PolicyDetails"> | undefined;
  schema: JsonSchema;
  canSave: boolean;
  onClose: () => void;
}

/** A policy: by a form for what is simple, as JSON for the rest, and in words what it grants. */
function PolicyDialog(props: PolicyDialogProps) {
  const { of, canSave } = props;
  const [text, setText] = useState(() => readable(of?.policy ?? JSON.stringify(first)));
  if (!canSave) return <ReadOnly of={of} text={text} onClose={props.onClose} />;
  return <Editor {...props} text={text} onText={setText} />;
}

function Editor(
  { of, schema, onClose, text, onText }: PolicyDialogProps & {
    text: string;
    onText: (text: string) => void;
  },
) {
  const [name, setName] = useState(of?.name ?? "");
  const [asJson, setAsJson] = useState(false);
  const { document, problems } = useMemo(() => checkPolicy(text, schema), [text, schema]);
  const queries = useQueryClient();
  const form = useForm(
    (body: Schema<"PolicyFormData">) =>
      of
        ? send("put", "/api/policies/{policy_id}", { path: { policy_id: of.id }, body })
        : send("post", "/api/policies", { body }),
    async ({ name: saved }) => {
      onClose();
      toast(t("management.policySaved", { name: saved }));
      await refresh(queries, "/api/policies", "/api/roles", "/api/identity", "/api/resource");
    },
  );
  return (
    <FormDialog
      title={of ? t("management.policyNamed", { name: of.name }) : t("management.newPolicy")}
      save={of ? t("kit.save") : t("kit.create")}
      form={form}
      wide
      onClose={onClose}
      onSave={() => form.submit({ name: name.trim(), policy: text })}
    >
      <TextField label={t("kit.name")} autoFocus={!of} {...form.field("name", name, setName)} />
      <div>
        <Button small aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          {asJson ? t("management.editByForm") : t("management.editAsJson")}
        </Button>
      </div>
      {asJson || document === undefined ? <JsonText text={text} onText={onText} /> : (
        <PolicyGuided
          schema={schema}
          statements={statementsOf(document)}
          onStatements={(statements) => onText(readable(JSON.stringify({ statements })))}
        />
      )}
      <Problems of={problems} />
      <InWords of={document} />
    </FormDialog>
  );
}

function ReadOnly(
  { of, text, onClose }: { of: PolicyDialogProps["of"]; text: string; onClose: () => void },
) {
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={t("management.policyNamed", { name: of?.name ?? "" })}
      actions={<Button onClick={onClose}>{t("kit.close")}</Button>}
    >
      <div className={styles.stack}>
        <InWords of={parsed(text)} />
        <div className={styles.snippet}>
          <pre tabIndex={0} aria-label={t("management.document")}><code>{text}</code></pre>
        </div>
      </div>
    </Dialog>
  );
}

function JsonText({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <Field label={t("management.document")} hint={t("management.asDocsOperatePermissionsMd")}>
      {(control) => (
        <textarea
          {...control}
          className={`${control.className} ${styles.json}`}
          spellCheck={false}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}

function Problems({ of }: { of: Problem[] }) {
  if (of.length === 0) return null;
  return (
    <Note tone="warn">
      <ul>
        {of.slice(0, 8).map(({ path, message }) => (
          <li key={path + message}>{path ? `${path}: ${message}` : message}</li>
        ))}
      </ul>
      {of.length > 8 && t("management.andMore", { count: of.length - 8 })}
    </Note>
  );
}

function InWords({ of }: { of: unknown }) {
  const statements = statementsOf(of);
  if (statements.length === 0) return null;
  return (
    <section aria-label={t("management.whatItGrants")}>
      <h3>{t("management.whatItGrants")}</h3>
      <ul className={styles.words}>
        {statements.map((one, at) => <li key={at} className="foreign">{inWords(one)}</li>)}
      </ul>
    </section>
  );
}

/** The document as it was read, and what is wrong with it. */
function checkPolicy(
  text: string,
  schema: JsonSchema,
): { document?: unknown; problems: Problem[] } {
  try {
    const document: unknown = JSON.parse(text);
    return { document, problems: problemsOf(document, schema) };
  } catch (error) {
    const message = t("management.noJson", { problem: (error as Error).message });
    return { problems: [{ path: "", message }] };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readable(text: string): string {
  const document = parsed(text);
  return document === undefined ? text : JSON.stringify(document, null, 2);
}
