import type { Schema } from "#web/api/client.ts";
import { useQuery } from "@tanstack/react-query";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { readDetails } from "#web/components/entity-details.ts";
import { ImpactLink } from "#web/components/impact-link.tsx";
import { RunStatusBadge } from "#web/components/run-status.tsx";
import { RunMetadata } from "#web/features/quality/run-metadata.tsx";
import { durationOf, durationText } from "#web/features/quality/runs.ts";

type Run = Schema<"DataEntityRun">;

export function RunTable({ entity, runs }: { entity: number; runs: Run[] }) {
  const hurt = useHurt(entity);
  const columns: Column<Run>[] = [
    { name: "Status", tight: true, cell: ({ status }) => <RunStatusBadge status={status} /> },
    {
      name: "Run",
      cell: (run) => (
        <>
          <span className="foreign">{run.name}</span>
          <RunMetadata of={run} />
        </>
      ),
    },
    { name: "Started", cell: ({ start_time }) => <Time at={start_time} none="unknown" /> },
    { name: "Ended", cell: ({ end_time }) => <Time at={end_time} none="not yet" /> },
    { name: "Took", right: true, cell: (run) => <Took run={run} /> },
    { name: "Why", cell: ({ status_reason }) => <span className="foreign">{status_reason}</span> },
    {
      name: "Actions",
      hideName: true,
      tight: true,
      cell: ({ status, name }) =>
        (status === "FAILED" || status === "BROKEN") && <ImpactLink id={hurt} of={name} />,
    },
  ];
  return <Table label="Runs" columns={columns} rows={runs} keyOf={({ id }) => id} />;
}

function Took({ run }: { run: Run }) {
  const took = durationOf(run);
  return took === undefined
    ? <span className="soft">{run.status === "RUNNING" ? "running" : "unknown"}</span>
    : <>{durationText(took)}</>;
}

/** What suffers when it fails: the dataset that a test tests, else itself. */
function useHurt(entity: number): number {
  const { data } = useQuery({ ...readDetails(entity), refetchOnMount: false });
  return data?.datasets_list?.[0]?.id ?? entity;
}
