import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { readPages, usePages } from "#web/api/pages.ts";
import { PagedTable } from "#web/components/paged-table.tsx";
import { useAppInfo, useCan, useIdentity } from "#web/components/permissions.ts";
import { useNames } from "#web/components/pickers.tsx";
import styles from "#web/features/management/management.module.css";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { SearchField, SelectField } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { listText, wordOptions, words } from "#web/kit/numbers.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { oneOf, useListSearch, useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Note } from "#web/kit/states.tsx";
import { SuggestField } from "#web/kit/suggest.tsx";
import { actionsColumn, type Column, textColumn, timeColumn } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

type Request = Schema<"OwnerAssociationRequest">;
/** Which user is which owner: what people ask for, the answers, and what happened to them. */
export function Associations() {
  const can = useCan();
  const [{ view }, change] = useParamsOfView();
  return (
    <Page
      title={t("management.ownerAssociations")}
      about={t("management.usersWhoRequestToBe")}
      actions={can("OWNER_ASSOCIATION_MANAGE") && (
        <Button
          aria-pressed={view === "history"}
          onClick={() => change({ view: view === "history" ? "" : "history", q: "" }, true)}
        >
          {view === "history" ? t("management.requests") : t("management.history")}
        </Button>
      )}
    >
      <OwnRequest />
      {can("OWNER_ASSOCIATION_MANAGE") &&
        (view === "history" ? <AssociationHistory /> : <Requests />)}
    </Page>
  );
}

type Answer = "APPROVED" | "DECLINED";
const requestStatuses = ["PENDING", "RESOLVED", "APPROVED", "DECLINED"] as const;

function Requests() {
  const { status, query, toolbar } = useRequestFilters({
    label: t("kit.status"),
    statuses: requestStatuses,
  });
  const [answering, setAnswering] = useState<{ request: Request; status: Answer }>();
  const of = usePages("/api/owner_association_request", { query: { status, query } });
  const answers = actionsColumn<Request>(
    (request) =>
      request.status === "PENDING" && (
        <Answers onAnswer={(answer) => setAnswering({ request, status: answer })} of={request} />
      ),
    t("management.answer"),
  );
  return (
    <>
      {toolbar}
      <Card flush>
        <PagedTable<Request>
          of={of}
          label={t("management.requests")}
          columns={[...requestColumns(), answers]}
          empty={
            <Empty
              title={status === "PENDING"
                ? t("management.noOpenRequests")
                : t("management.noRequests")}
            >
              {status === "PENDING" && t("management.requestsForAnOwnerAppear")}
            </Empty>
          }
        />
      </Card>
      {answering && <AnswerDialog {...answering} onClose={() => setAnswering(undefined)} />}
    </>
  );
}

const statusTones: Record<Request["status"], Tone> = {
  PENDING: "info",
  APPROVED: "good",
  DECLINED: "neutral",
};

const requestColumns = (): Column<Request>[] => [
  {
    name: t("management.columnUser"),
    cell: ({ username, provider }) => (
      <span className="foreign">
        {username} <span className="soft">{provider}</span>
      </span>
    ),
  },
  textColumn(t("kit.owner"), ({ owner_name }) => owner_name),
  {
    name: t("management.itsRoles"),
    cell: ({ roles }) => listText((roles ?? []).map(({ name }) => name)),
  },
  {
    name: t("kit.status"),
    cell: ({ status }) => <Badge tone={statusTones[status]}>{words(status)}</Badge>,
  },
  {
    name: t("management.answered"),
    cell: ({ status_updated_at, status_updated_by }) =>
      status_updated_at && (
        <>
          <Time at={status_updated_at} />{" "}
          <span className="soft">{status_updated_by?.identity.username}</span>
        </>
      ),
  },
];

function Answers({ of, onAnswer }: { of: Request; onAnswer: (answer: Answer) => void }) {
  const names = { user: of.username, owner: of.owner_name };
  return (
    <div className={styles.buttons}>
      <Button
        small
        aria-label={t("management.accept3", names)}
        onClick={() => onAnswer("APPROVED")}
      >
        <Check /> {t("management.accept")}
      </Button>
      <Button
        small
        aria-label={t("management.decline3", names)}
        onClick={() => onAnswer("DECLINED")}
      >
        <X /> {t("management.decline")}
      </Button>
    </div>
  );
}

function AnswerDialog(
  { request, status, onClose }: { request: Request; status: Answer; onClose: () => void },
) {
  const queries = useQueryClient();
  const { id, username, owner_name, roles } = request;
  const accepted = status === "APPROVED";
  const answer = async () => {
    await send("put", "/api/owner_association_request/{owner_association_request_id}", {
      path: { owner_association_request_id: id },
      body: { status },
    });
    toast(
      accepted
        ? t("management.is2", { username, ownerName: owner_name })
        : t("management.theRequestOfIsDeclined", { username }),
    );
    await refresh(queries, "/api/owner_association_request", "/api/owners", "/api/identity");
  };
  const given = listText((roles ?? []).map(({ name }) => name));
  return (
    <Confirm
      open
      onClose={onClose}
      title={accepted
        ? t("management.is", { username, ownerName: owner_name })
        : t("management.declineTheRequestOf", { username })}
      action={accepted ? t("management.accept") : t("management.decline")}
      onConfirm={answer}
    >
      {accepted
        ? (
          <p>
            {given
              ? t("management.theUserGetsRoles", { roles: given })
              : t("management.theUserGetsNoRoles")}
          </p>
        )
        : <p>{t("management.theUserCanAskAgain")}</p>}
    </Confirm>
  );
}

type AssociationEvent = Schema<"OwnerAssociationRequestActivity">;
const historyStatuses = ["RESOLVED", "PENDING", "APPROVED", "DECLINED"] as const;

/** What happened to requests for owners, newest first. */
function AssociationHistory() {
  const { status, query, toolbar } = useRequestFilters({
    label: t("management.statusAfterwards"),
    statuses: historyStatuses,
  });
  const of = useInfiniteQuery({
    ...readPages("/api/owner_association_request/activity", { query: { status, query } }),
    // A request happens several times: its event tells them apart.
    select: ({ pages }) => ({ pages: pages.map(byEvent) }),
  });
  return (
    <>
      {toolbar}
      <Card flush>
        <PagedTable<AssociationEvent>
          of={of}
          label={t("management.historyOfRequests")}
          columns={historyColumns()}
          empty={<Empty title={t("management.noRequests")} />}
        />
      </Card>
    </>
  );
}

function byEvent(page: Schema<"OwnerAssociationRequestActivityList">) {
  return { ...page, items: page.items.map((one) => ({ ...one, id: one.activity_id })) };
}

const historyColumns = (): Column<AssociationEvent>[] => [
  timeColumn(t("management.when"), ({ status_updated_at }) => status_updated_at, "–"),
  { name: t("management.what"), cell: ({ event_type }) => words(event_type) },
  textColumn(t("management.columnUser"), ({ username }) => username),
  textColumn(t("kit.owner"), ({ owner_name }) => owner_name),
  textColumn(t("management.by"), ({ status_updated_by: by }) => by?.identity.username ?? "–"),
];

/** What narrows requests for owners, or what happened to them, and what it is set to; `statuses`: the first one if none is chosen. */
function useRequestFilters<Status extends string>(
  { label, statuses }: { label: string; statuses: readonly [Status, ...Status[]] },
) {
  const search = useListSearch();
  const [params, change] = useParamsOfView();
  const status = oneOf(params.status, statuses) ?? statuses[0];
  return {
    status,
    query: search.query,
    toolbar: (
      <Toolbar>
        <SearchField
          label={t("management.findAUserOrAn")}
          {...search.field}
          className={pageStyles.grow}
        />
        <SelectField
          label={label}
          hideLabel
          value={status}
          options={wordOptions(statuses)}
          onChange={({ target }) => change({ status: target.value }, true)}
        />
      </Toolbar>
    ),
  };
}

/** Which owner the caller is, or a way to ask for one. */
function OwnRequest() {
  const info = useAppInfo().data;
  const identity = useIdentity().data;
  if (!info || !identity) return null;
  if (info.authType === "DISABLED") {
    return <Note>{t("management.signInIsOffSo")}</Note>;
  }
  const request = identity.association_request;
  return (
    <Card title={t("management.you")}>
      {identity.owner
        ? <p>{t("management.youAreLinkedTo", { owner: identity.owner.name })}</p>
        : request?.status === "PENDING"
        ? <p>{t("management.youWaitForTheAnswer", { owner: request.owner_name })}</p>
        : (
          <div className={styles.stack}>
            <p>
              {request
                ? t("management.notLinkedLastRequest", {
                  owner: request.owner_name,
                  status: words(request.status),
                })
                : t("management.notLinkedYet")}
            </p>
            <AskForOwner />
          </div>
        )}
    </Card>
  );
}

function AskForOwner() {
  const [name, setName] = useState("");
  const { names } = useNames("/api/owners", name);
  const queries = useQueryClient();
  const form = useForm(
    () => send("post", "/api/owner_association_request", { body: { name: name.trim() } }),
    async ({ status, owner_name }) => {
      const owner = { owner: owner_name };
      toast(
        status === "APPROVED"
          ? t("management.youAre", owner)
          : t("management.youRequestedToBe", owner),
      );
      await refresh(queries, "/api/identity", "/api/owner_association_request", "/api/owners");
    },
  );
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) form.submit(undefined);
      }}
    >
      <SuggestField
        label={t("management.iAm")}
        hint={t("management.yourNameOrYourTeams")}
        value={name}
        onValue={setName}
        items={names}
        error={form.errorOf("name") ?? form.rest()[0]}
      />
      <div>
        <Button type="submit" busy={form.busy} disabled={!name.trim()}>
          {t("management.requestThisOwner")}
        </Button>
      </div>
    </form>
  );
}
