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
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { EntityById } from "#web/components/entity-by-id.tsx";
import { RunStatusBadge } from "#web/components/run-status.tsx";
import styles from "#web/features/management/openlineage.module.css";

type Run = Schema<"OpenLineageRun">;

/** What became of a run that its producer knows by an id. */
export function RunView() {
  const [{ run = "" }] = useParamsOfView();
  return (
    <>
      <Card title="Find a run">
        <RunForm key={run} run={run} />
      </Card>
      {run ? <Runs run={run} /> : (
        <Card>
          <Empty title="What became of a run?" icon={<Footprints aria-hidden />}>
            The log of a scheduler names its runs by an id. Here you see whether events of one came,
            and what the catalogue made of them.
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
        label="Id of the run"
        value={text}
        spellCheck={false}
        hint="The runId of its events, letter by letter; UUIDs in any case"
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" variant="primary" disabled={!text.trim()}>Find</Button>
    </form>
  );
}

/** Milliseconds between two looks, for whoever waits for a run. */
const everyMs = 10_000;

function Runs({ run }: { run: string }) {
  const query = useQuery({
    ...read("/api/openlineage/runs", { params: { query: { run_id: run } } }),
    placeholderData: undefined,
    refetchInterval: everyMs,
  });
  return (
    <Card title="Runs of this id" flush>
      <Shown of={query} what="runs" bones={4}>
        {({ items }) =>
          items.length === 0
            ? (
              <Empty title="No event told of this run" icon={<SearchX aria-hidden />}>
                It is taken within seconds of its first event. What was refused is among the
                complaints; runs that collectors bring are at their jobs.
              </Empty>
            )
            : (
              <Table
                label="Runs of this id"
                columns={columns}
                rows={items}
                keyOf={({ job_catrn }) => job_catrn}
              />
            )}
      </Shown>
    </Card>
  );
}

const columns: Column<Run>[] = [
  {
    name: "State",
    tight: true,
    cell: (run) => <State of={run} />,
  },
  {
    name: "Job",
    cell: ({ job_entity_id, job_catrn }) => (
      <div className={styles.job}>
        {job_entity_id == null
          ? <span className="soft">Not catalogued yet</span>
          : <EntityById id={job_entity_id} tab="history" />}
        <span className="mono foreign soft">{job_catrn}</span>
      </div>
    ),
  },
  { name: "Began", tight: true, cell: ({ started_at }) => <Time at={started_at} /> },
  { name: "Ended", tight: true, cell: ({ ended_at }) => <Time at={ended_at} none="not yet" /> },
  {
    name: "Events",
    tight: true,
    cell: ({ events, last_event_at }) => (
      <>
        {counted(events)}, <span className="soft">last</span> <Time at={last_event_at} />
      </>
    ),
  },
];

/** More are not counted. */
const maxEvents = 100;

function counted(events: number): string {
  return events < maxEvents ? count(events) : `${count(maxEvents)} or more`;
}

function State({ of: { state, entity_id } }: { of: Run }) {
  if (!state) return <Badge>Not composed yet</Badge>;
  return (
    <>
      <RunStatusBadge status={state} />
      {entity_id == null && (
        <>
          <br />
          <span className="soft">not catalogued yet</span>
        </>
      )}
    </>
  );
}
