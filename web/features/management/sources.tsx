import { Link } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Schema, send } from "#web/api/client.ts";
import { useCan } from "#web/components/permissions.ts";
import { NamespaceField } from "#web/components/pickers.tsx";
import {
  type Managed,
  ManagedList,
  NameDialog,
  useManaged,
} from "#web/features/management/managed-list.tsx";
import { RenewButton, TokenRenewal, useSecret } from "#web/features/management/secret-once.tsx";
import { IconButton } from "#web/kit/button.tsx";
import { TextArea, TextField } from "#web/kit/field.tsx";
import type { FormFields } from "#web/kit/form.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { idsOf, useParamsOfView } from "#web/kit/search-params.ts";
import type { Column } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Source = Schema<"DataSource">;

/** Data sources: what delivers metadata, with the tokens that they deliver with. */
export function Sources() {
  const can = useCan();
  const [secret, show] = useSecret();
  const [renewing, setRenewing] = useState<Source>();
  const list = useManaged("/api/datasources");
  return (
    <>
      <ManagedList<Source>
        title={t("management.dataSources")}
        about={t("management.whereMetadataComesFromDatabases")}
        what="dataSource"
        {...list}
        columns={columns()}
        form={(close, row) => (
          <SourceDialog
            of={row}
            onClose={close}
            onMade={(made) => show(made.name, made.token?.value, tokenUseOf(made))}
          />
        )}
        canCreate={can("DATA_SOURCE_CREATE")}
        canEdit={() => can("DATA_SOURCE_UPDATE")}
        actions={(row) => <RowButtons of={row} onRenew={() => setRenewing(row)} />}
        remove={removal(can("DATA_SOURCE_DELETE"))}
        empty={t("management.registerOneHereLetA")}
      />
      {renewing && (
        <TokenRenewal
          name={renewing.name}
          touches="/api/datasources"
          send={() =>
            send("put", "/api/datasources/{data_source_id}/token", {
              path: { data_source_id: renewing.id },
            })}
          onNew={(renewed) => show(renewed.name, renewed.token?.value, tokenUseOf(renewed))}
          onClose={() => setRenewing(undefined)}
        >
          {renewing.token
            ? <p>{t("management.currentTokenIsRefused", { token: renewing.token.hint })}</p>
            : <p>{t("management.theSourceGetsItsOwn")}</p>}
        </TokenRenewal>
      )}
      {secret}
      <OpenedExpiry />
    </>
  );
}

const tokenUseOf = ({ id, catrn, name }: Source) => ({ kind: "source", id, catrn, name }) as const;

function RowButtons({ of, onRenew }: { of: Source; onRenew: () => void }) {
  const can = useCan();
  return (
    <>
      {can("OPERATIONS_VIEW") && <ExpiryButton of={of} />}
      {can("DATA_SOURCE_TOKEN_REGENERATE") && <RenewButton of={of.name} onClick={onRenew} />}
    </>
  );
}

const ExpiryDialog = lazyComponent<{ id: number; onClose: () => void }>(
  () => import("#web/features/management/expiry.tsx").then((all) => all.ExpiryDialog),
);

/** Leads to what would expire of a data source. */
function ExpiryButton({ of: { id, name } }: { of: { id: number; name: string } }) {
  const [, change] = useParamsOfView();
  return (
    <IconButton
      label={t("management.expiryOf", { name })}
      small
      onClick={() => change({ expiry: String(id) }, true)}
    >
      <Hourglass />
    </IconButton>
  );
}

/** What would expire of the data source that the address names. */
function OpenedExpiry() {
  const [params, change] = useParamsOfView();
  const [id] = idsOf(params.expiry);
  if (id === undefined) return null;
  return <ExpiryDialog key={id} id={id} onClose={() => change({ expiry: undefined }, true)} />;
}

const columns = (): Column<Source>[] => [
  {
    name: t("kit.name"),
    cell: ({ id, name }) => (
      <Link to="/search" search={{ datasources: String(id) } as never} className="foreign">
        {name}
      </Link>
    ),
  },
  { name: "CATRN", cell: ({ catrn }) => <span className="mono foreign">{catrn}</span> },
  { name: t("kit.namespace"), cell: ({ namespace }) => namespace?.name ?? "–" },
  {
    name: t("management.columnToken"),
    cell: ({ token }) =>
      token
        ? (
          <>
            <span className="mono">{token.hint}</span>{" "}
            <span className="soft">
              <Time at={token.updated_at} />
            </span>
          </>
        )
        : <span className="soft">{t("management.none")}</span>,
  },
];

function removal(may: boolean) {
  return {
    can: () => may,
    send: ({ id }: Source) =>
      send("delete", "/api/datasources/{data_source_id}", { path: { data_source_id: id } }),
    about: ({ id }: Source) => (
      <p>
        <Rich
          of="management.sourceDeletable"
          tags={{
            entities: <Link to="/search" search={{ datasources: String(id) } as never} />,
          }}
        />
      </p>
    ),
    touches: ["/api/datasources", "/api/directory"],
  };
}

/** The form of a data source. A new one is shown with its token. */
function SourceDialog(
  { of, onMade, onClose }: {
    of: Source | undefined;
    onMade: (made: Source) => void;
    onClose: () => void;
  },
) {
  const [catrn, setCatrn] = useState("");
  return (
    <DescribedDialog<Source>
      what="dataSource"
      of={of}
      touches={["/api/datasources", "/api/namespaces", "/api/directory"]}
      onDone={(made) => !of && onMade(made)}
      onClose={onClose}
      submit={(form) =>
        of
          ? send("put", "/api/datasources/{data_source_id}", {
            path: { data_source_id: of.id },
            body: form,
          })
          : send("post", "/api/datasources", { body: { ...form, catrn: catrn.trim() } })}
    >
      {({ field }) =>
        !of && (
          <TextField
            label={t("kit.catrn")}
            hint={t("management.theNameUnderWhichIt")}
            {...field("catrn", catrn, setCatrn)}
          />
        )}
    </DescribedDialog>
  );
}

interface DescribedSource {
  id: number;
  name: string;
  description?: string | null;
  namespace?: { name: string } | null;
}

/** What a form of a source or a collector holds besides the name. */
interface FormDetails {
  description: string | null;
  namespace_name: string | null;
}

/** Name, namespace and description: what sources and collectors have in common; `children` come first. */
export function DescribedDialog<Result>(
  { what, of, proposed, submit, touches, onDone, onClose, children }: {
    what: Managed;
    of: DescribedSource | undefined;
    /** The name that a new one has at first. */
    proposed?: string;
    submit: (form: { name: string } & FormDetails) => Promise<Result>;
    touches: string[];
    onDone?: (result: Result) => void;
    onClose: () => void;
    children?: (form: FormFields) => ReactNode;
  },
) {
  const [namespace, setNamespace] = useState(of?.namespace?.name ?? "");
  const [description, setDescription] = useState(of?.description ?? "");
  return (
    <NameDialog
      what={what}
      isNew={!of}
      initial={of?.name ?? proposed}
      touches={touches}
      onDone={onDone}
      onClose={onClose}
      send={(name) =>
        submit({
          name,
          description: description.trim() || null,
          namespace_name: namespace.trim() || null,
        })}
    >
      {(form) => (
        <>
          {children?.(form)}
          <NamespaceField
            value={namespace}
            onValue={setNamespace}
            hint={t("management.optionalCreatedIfNew")}
            error={form.errorOf("namespace_name")}
          />
          <TextArea
            label={t("kit.description")}
            {...form.field("description", description, setDescription)}
          />
        </>
      )}
    </NameDialog>
  );
}
