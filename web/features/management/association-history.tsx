import { useInfiniteQuery } from "@tanstack/react-query";
import type { Schema } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { words } from "#web/kit/numbers.ts";
import { Card, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { Empty } from "#web/kit/states.tsx";
import type { Column } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { SearchField, SelectField } from "#web/kit/field.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { PagedTable } from "#web/components/paged-table.tsx";
import { t } from "#web/messages/text.ts";
import { useListSearch } from "#web/features/management/managed-list.tsx";

type AssociationEvent = Schema<"OwnerAssociationRequestActivity">;
const statuses = ["RESOLVED", "PENDING", "APPROVED", "DECLINED"] as const;

/** What happened to requests for owners, newest first. */
export function AssociationHistory() {
  const { status, query, toolbar } = useRequestFilters({
    label: t("management.statusAfterwards"),
    statuses,
  });
  const of = useInfiniteQuery({
    ...readPages("/api/owner_association_request/activity", {
      params: { query: { status, query } },
    }),
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
          columns={columns()}
          empty={<Empty title={t("management.noRequests")} />}
        />
      </Card>
    </>
  );
}

function byEvent(page: Schema<"OwnerAssociationRequestActivityList">) {
  return { ...page, items: page.items.map((one) => ({ ...one, id: one.activity_id })) };
}

const columns = (): Column<AssociationEvent>[] => [
  {
    name: t("management.when"),
    tight: true,
    cell: ({ status_updated_at }) => <Time at={status_updated_at} none="–" />,
  },
  { name: t("management.what"), cell: ({ event_type }) => words(event_type) },
  {
    name: t("management.columnUser"),
    cell: ({ username }) => <span className="foreign">{username}</span>,
  },
  { name: t("kit.owner"), cell: ({ owner_name }) => <span className="foreign">{owner_name}</span> },
  {
    name: t("management.by"),
    cell: ({ status_updated_by }) => (
      <span className="foreign">{status_updated_by?.identity.username ?? "–"}</span>
    ),
  },
];

/** What narrows requests for owners, or what happened to them, and what it is set to; `statuses`: the first one if none is chosen. */
export function useRequestFilters<Status extends string>(
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
          value={search.text}
          onValue={search.setText}
          className={pageStyles.grow}
        />
        <SelectField
          label={label}
          hideLabel
          value={status}
          options={statuses.map((one) => [one, words(one)] as const)}
          onChange={({ target }) => change({ status: target.value }, true)}
        />
      </Toolbar>
    ),
  };
}
