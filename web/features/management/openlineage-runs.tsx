import { useQuery } from "@tanstack/react-query";
import { Footprints, SearchX } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { classes } from "#web/kit/classes.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { TextField } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { type Column, Table, timeColumn } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { TabLink } from "#web/components/entity-link.tsx";
import { EntityById } from "#web/components/entity-details.tsx";
import { RunStatusBadge } from "#web/components/status.tsx";
import styles from "#web/features/management/openlineage.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

type Run = Schema<"OpenLineageRun">;

/** What became of a run that its producer knows by an id. */
export function RunView() {
  const [{ run = "" }] = useParamsOfView();
  return (
    <>
      <Card title={t("management.findARun")}>
        <RunForm key={run} run={run} />
      </Card>
      {run
        ? (
          <>
            <Runs run={run} />
            <Lineage run={run} />
          </>
        )
        : (
          <Card>
            <Empty title={t("management.whatBecameOfARun")} icon={<Footprints aria-hidden />}>
              {t("management.theLogOfAScheduler")}
            </Empty>
          </Card>
        )}
    </>
  );
}

function RunForm({ run }: { run: string }) {
  const [, change] = useParamsOfView();
  const [text, setText] = useState(run);
  return (
    <form
      className={classes(styles.ask, styles.one)}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) change({ run: text.trim() }, true);
      }}
    >
      <TextField
        label={t("management.idOfTheRun")}
        value={text}
        spellCheck={false}
        hint={t("management.theRunidOfItsEvents")}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" variant="primary" disabled={!text.trim()}>
        {t("management.find")}
      </Button>
    </form>
  );
}

/** Milliseconds between two polls while waiting for a run. */
const everyMs = 10_000;

function Runs({ run }: { run: string }) {
  const query = useQuery({
    ...read("/api/openlineage/runs", { query: { run_id: run } }),
    placeholderData: undefined,
    refetchInterval: everyMs,
  });
  return (
    <Card title={t("management.runsOfThisId")} flush>
      <Shown of={query} what={t("management.runs")} bones={4}>
        {({ items }) =>
          items.length === 0
            ? (
              <Empty title={t("management.noEventReportedThisRun")} icon={<SearchX aria-hidden />}>
                {t("management.aRunAppearsWithinSeconds")}
              </Empty>
            )
            : (
              <Table
                label={t("management.runsOfThisId")}
                columns={columns()}
                rows={items}
                keyOf={({ job_catrn }) => job_catrn}
              />
            )}
      </Shown>
    </Card>
  );
}

/** What the runs of an id read and wrote. */
function Lineage({ run }: { run: string }) {
  const query = useQuery({
    ...read("/api/openlineage/runs/{run_id}/lineage", { path: { run_id: run } }),
    placeholderData: undefined,
    refetchInterval: everyMs,
  });
  const rows = query.data?.items.flatMap(datasetsOf) ?? [];
  if (query.isSuccess && rows.length === 0) return null;
  const total = query.data?.items.reduce((n, of) => n + of.inputs.total + of.outputs.total, 0);
  return (
    <Card title={t("management.datasetsOfThisRun")} flush>
      <Shown of={query} what={t("management.datasets")} bones={4}>
        {() => (
          <>
            <Table
              label={t("management.datasetsOfThisRun")}
              columns={datasetColumns()}
              rows={rows}
              keyOf={keyOf}
            />
            {total! > rows.length && (
              <p className={styles.more}>
                {t("management.moreNotListed", { count: total! - rows.length })}
              </p>
            )}
          </>
        )}
      </Shown>
    </Card>
  );
}

interface RunDataset extends Schema<"OpenLineageRunDataset"> {
  job: string;
  access: "read" | "write";
}

function datasetsOf({ job_catrn: job, inputs, outputs }: Schema<"OpenLineageRunLineage">) {
  return [
    ...inputs.items.map((one): RunDataset => ({ ...one, job, access: "read" })),
    ...outputs.items.map((one): RunDataset => ({ ...one, job, access: "write" })),
  ];
}

const keyOf = ({ job, access, namespace, name }: RunDataset) =>
  JSON.stringify([job, access, namespace, name]);

const accesses: Record<RunDataset["access"], PlainKey> = {
  read: "management.reads",
  write: "management.writes",
};

const datasetColumns = (): Column<RunDataset>[] => [
  { name: t("management.access"), tight: true, cell: ({ access }) => t(accesses[access]) },
  {
    name: t("management.dataset"),
    cell: ({ entity_id, namespace, name }) => (
      <div className={styles.job}>
        {entity_id == null
          ? <span className="foreign">{name}</span>
          : <TabLink id={entity_id} className="foreign">{name}</TabLink>}
        <span className="mono foreign soft">{namespace}</span>
      </div>
    ),
  },
  {
    name: t("management.version"),
    cell: ({ version }) => version && <span className="mono foreign">{version}</span>,
  },
  { name: t("management.rows"), tight: true, cell: ({ rows }) => rows != null && count(rows) },
];

const columns = (): Column<Run>[] => [
  { name: t("management.state"), tight: true, cell: (run) => <State of={run} /> },
  {
    name: t("management.job"),
    cell: ({ job_entity_id, job_catrn }) => (
      <div className={styles.job}>
        {job_entity_id == null
          ? <span className="soft">{t("management.notCataloguedYet")}</span>
          : <EntityById id={job_entity_id} tab="history" />}
        <span className="mono foreign soft">{job_catrn}</span>
      </div>
    ),
  },
  timeColumn(t("management.began"), ({ started_at }) => started_at),
  timeColumn(t("management.ended"), ({ ended_at }) => ended_at, t("kit.notYet")),
  {
    name: t("management.events"),
    tight: true,
    cell: ({ events, last_event_at }) => (
      <Rich
        of="management.eventsLast"
        values={{ events: counted(events), time: <Time at={last_event_at} /> }}
        tags={{ soft: <span className="soft" /> }}
      />
    ),
  },
];

/** More are not counted. */
const maxEvents = 100;

function counted(events: number): string {
  return events < maxEvents ? count(events) : t("management.orMore", { count: count(maxEvents) });
}

function State({ of: { state, entity_id } }: { of: Run }) {
  if (!state) return <Badge>{t("management.notComposedYet")}</Badge>;
  return (
    <>
      <RunStatusBadge status={state} />
      {entity_id == null && (
        <>
          <br />
          <span className="soft">{t("management.notCataloguedYet2")}</span>
        </>
      )}
    </>
  );
}
