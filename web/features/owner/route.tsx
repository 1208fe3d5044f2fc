import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Mail } from "lucide-react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { rowsOf, usePages } from "#web/api/pages.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { count, listText, words } from "#web/kit/numbers.ts";
import { Card, Columns, Facts, Page } from "#web/kit/page.tsx";
import { Empty, Pending, Shown } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { type Column, More, Table, timeColumn } from "#web/kit/table.tsx";
import { mailLink, mailOf } from "#web/components/owner-mail.ts";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import { AlertTypeBadge } from "#web/components/alerts.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import styles from "#web/features/owner/owner.module.css";
import { t } from "#web/messages/text.ts";

type Owner = Schema<"Owner">;

/** The page of one owner: how to reach them, what they own, and what is wrong with it. */
export function OwnerScreen() {
  const { id: text } = useParams({ strict: false }) as { id: string };
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
  const owner = useQuery({
    ...read("/api/owners", { query: { page: 1, size: 1, ids: [id] } }),
    enabled: id > 0,
    placeholderData: undefined,
  });
  const found = owner.data?.items[0];
  if (found) return <OwnerPage of={found} key={id} />;
  return (
    <Page title={t("kit.owner")}>
      {owner.error || id > 0 && owner.isPending
        ? <Pending of={owner} what={t("owner.owner")} bones={10} />
        : (
          <Empty title={t("owner.ownerNotFound")}>
            <Link to="/management/$section" params={{ section: "owners" }}>
              {t("owner.allOwners")}
            </Link>
          </Empty>
        )}
    </Page>
  );
}

function OwnerPage({ of }: { of: Owner }) {
  const mail = mailOf(of.associated_user);
  return (
    <Page
      title={of.name}
      about={t("kit.owner")}
      actions={
        <>
          {mail && (
            <a className={buttonClass()} href={mailLink(mail, t("owner.aQuestionAboutYourData"))}>
              <Mail aria-hidden />
              {t("owner.askTheOwner")}
            </a>
          )}
          <RequestOwnership of={of} />
        </>
      }
    >
      <Columns
        main={
          <>
            <OwnerAlerts owner={of.id} />
            <OwnerAssets owner={of.id} />
          </>
        }
        side={
          <Card title={t("owner.contact")}>
            <Contact of={of} mail={mail} />
          </Card>
        }
      />
    </Page>
  );
}

function Contact({ of: { associated_user: user, roles }, mail }: { of: Owner; mail?: string }) {
  if (!user?.oidc_username) {
    return <span className="soft">{t("owner.noUserBelongsToThis")}</span>;
  }
  return (
    <div className={styles.contact}>
      <Facts
        of={[
          [t("owner.user"), <span key="user" className="foreign">{user.oidc_username}</span>],
          mail !== undefined &&
          [t("owner.mail"), <a key="mail" href={`mailto:${mail}`} className="foreign">{mail}</a>],
          Boolean(user.provider) && [t("owner.signsInBy"), user.provider],
          roles && roles.length > 0 && [t("owner.roles"), listText(roles.map(({ name }) => name))],
        ]}
      />
    </div>
  );
}

/** Requests that one's account belongs to this owner; offered to those who sign in and belong to none. */
function RequestOwnership({ of }: { of: Schema<"Owner"> }) {
  const info = useAppInfo().data;
  const identity = useIdentity().data;
  const queries = useQueryClient();
  const work = useMutation({
    mutationFn: () => send("post", "/api/owner_association_request", { body: { name: of.name } }),
    onSuccess: ({ status, owner_name }) =>
      toast(
        status === "APPROVED"
          ? t("owner.youAreLinkedTo", { ownerName: owner_name })
          : t("owner.youRequestedToBeLinked2", { ownerName: owner_name }),
      ),
    onError: (error) => complain(t("owner.theRequestWasRefused"), error),
    onSettled: () =>
      refresh(queries, "/api/identity", "/api/owner_association_request", "/api/owners"),
  });
  if (!info || info.authType === "DISABLED" || !identity || identity.owner) return null;
  const request = identity.association_request;
  if (request?.status === "PENDING") {
    return request.owner_name === of.name && (
      <span className="soft">{t("owner.youRequestedToBeLinked")}</span>
    );
  }
  return <Button busy={work.isPending} onClick={() => work.mutate()}>{t("owner.thisIsMe")}</Button>;
}

type Alert = Schema<"Alert">;
const open = "OPEN" as const;
const maxShown = 10;

const columns = (): Column<Alert>[] => [
  { name: t("owner.alert"), cell: ({ type }) => <AlertTypeBadge type={type} />, tight: true },
  {
    name: t("owner.asset"),
    cell: ({ data_entity: asset }) => asset && <EntityLink of={asset} tab="alerts" />,
  },
  timeColumn(t("owner.since"), ({ created_at }) => created_at),
];

/** Open alerts of what an owner owns, the newest first. */
function OwnerAlerts({ owner }: { owner: number }) {
  const filter = { owner_ids: [owner], status: open };
  const total = useQuery(read("/api/alerts/counts", { query: filter })).data
    ?.total_count;
  const { data: alerts } = useQuery(
    read("/api/alerts/list", { query: { ...filter, page: 1, size: maxShown } }),
  );
  if (!alerts || total === undefined) return null;
  if (alerts.length === 0) {
    return <Card title={t("owner.noOpenAlerts")}>{t("owner.nothingIsWrongWithTheir")}</Card>;
  }
  return (
    <Card
      title={t("owner.openAlerts", { total })}
      flush
      actions={
        <Link to="/alerts" search={{ owner: String(owner) } as never} className={styles.all}>
          {total > alerts.length ? t("owner.all", { total: count(total) }) : t("kit.allAlerts")}
        </Link>
      }
    >
      <Table label={t("kit.openAlerts")} columns={columns()} rows={alerts} keyOf={({ id }) => id} />
    </Card>
  );
}

type Asset = Schema<"DataEntity">;

const assetColumns = (): Column<Asset>[] => [
  { name: t("owner.asset"), cell: (asset) => <EntityLink of={asset} /> },
  { name: t("kit.type"), cell: ({ type }) => type && words(type.name), tight: true },
  { name: t("owner.source"), cell: ({ data_source }) => data_source?.name },
];

/** What an owner owns, as the search for it finds it. */
function OwnerAssets({ owner }: { owner: number }) {
  const filters = { owners: [{ entity_id: owner, selected: true }] };
  const session = useQuery({
    queryKey: ["/api/search", { owner }],
    queryFn: () => send("post", "/api/search", { body: { query: "", filters } }),
  });
  const total = session.data?.total_is_minimum ? undefined : session.data?.total ?? undefined;
  return (
    <Card
      title={total === undefined ? t("owner.assets") : t("owner.assets3", { total })}
      flush
      actions={
        <Link to="/search" search={{ owners: String(owner) } as never} className={styles.all}>
          {t("owner.searchThem")}
        </Link>
      }
    >
      <Shown of={session} what={t("owner.assets2")} bones={6}>
        {({ search_id, total: found }) =>
          found === 0
            ? <Empty title={t("owner.noAssets")}>{t("owner.thisOwnerOwnsNothingYet")}</Empty>
            : <Found search={search_id} total={total} />}
      </Shown>
    </Card>
  );
}

function Found({ search, total }: { search: string; total: number | undefined }) {
  const results = usePages("/api/search/{search_id}/results", { path: { search_id: search } });
  return (
    <Shown of={results} what={t("owner.assets2")} bones={6}>
      {(data) => {
        const rows = rowsOf<Asset>(data);
        return (
          <>
            <Table
              label={t("owner.assets")}
              columns={assetColumns()}
              rows={rows}
              keyOf={({ id }) => id}
            />
            <More
              shown={rows.length}
              total={total}
              hasNext={results.hasNextPage}
              busy={results.isFetchingNextPage}
              onMore={() => void results.fetchNextPage()}
            />
          </>
        );
      }}
    </Shown>
  );
}
