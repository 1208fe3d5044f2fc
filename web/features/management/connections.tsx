import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, type Schema, send } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import type { Column } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { useCan } from "#web/components/permissions.ts";
import { ConnectionDialog } from "#web/features/management/connection-dialog.tsx";
import { RunStateBadge } from "#web/features/management/connection-run.tsx";
import { ManagedList, useListSearch } from "#web/features/management/managed-list.tsx";
import { t } from "#web/messages/text.ts";

type Connection = Schema<"Connection">;
const ConnectionRuns = lazyComponent(() =>
  import("#web/features/management/connection-runs.tsx").then((all) => all.ConnectionRuns)
);
const DescribeFile = lazyComponent(() =>
  import("#web/features/management/describe-file.tsx").then((all) => all.DescribeFile)
);

const connectionPaths = ["/api/connections", "/api/datasources"];

/** Connections: sources that the catalogue reads by itself. */
export function Connections() {
  const manage = useCan()("CONNECTION_MANAGE");
  const search = useListSearch();
  const [shown, setShown] = useState<Connection>();
  const [isDescribing, setDescribing] = useState(false);
  const connectors = useQuery({ ...read("/api/connectors"), staleTime: Infinity }).data;
  const of = useInfiniteQuery(
    readPages("/api/connections", { params: { query: { query: search.query } } }),
  );
  return (
    <>
      <ManagedList<Connection>
        title={t("management.connections")}
        about={t("management.sourcesThatTributaryReadsOn")}
        what="connection"
        search={search}
        of={of}
        columns={columns()}
        controls={manage && (
          <Button onClick={() => setDescribing(true)}>{t("management.describeAFile")}</Button>
        )}
        form={(close, row) =>
          connectors && (
            <ConnectionDialog
              of={row}
              connectors={connectors}
              onClose={close}
              onDone={setShown}
            />
          )}
        canCreate={manage && connectors !== undefined}
        canEdit={() => manage}
        actions={(row) => (
          <Button small onClick={() => setShown(row)}>
            {t("management.runsOf", { name: row.name })}
          </Button>
        )}
        remove={{
          can: () => manage,
          send: ({ id }) =>
            send("delete", "/api/connections/{connection_id}", {
              params: { path: { connection_id: id } },
            }),
          about: () => <p>{t("management.itsHistoryIsDeletedWhat")}</p>,
          touches: connectionPaths,
        }}
        empty={t("management.connectASourceAndIts")}
      />
      {isDescribing && <DescribeFile onClose={() => setDescribing(false)} />}
      {shown && <ConnectionRuns of={shown} canRun={manage} onClose={() => setShown(undefined)} />}
    </>
  );
}

const columns = (): Column<Connection>[] => [
  { name: t("kit.name"), cell: ({ name }) => <span className="foreign">{name}</span> },
  {
    name: t("management.source"),
    cell: ({ data_source_catrn: catrn }) => <span className="foreign mono">{catrn}</span>,
  },
  {
    name: t("management.lastRun"),
    cell: ({ last_run: run }) => run ? <RunStateBadge state={run.state} /> : "–",
  },
  {
    name: t("management.nextRun"),
    tight: true,
    cell: ({ paused, next_run_at: at }) =>
      paused ? t("management.paused") : at ? <Time at={at} /> : t("management.byHand"),
  },
];
