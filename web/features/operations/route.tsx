import {
  CircleAlert,
  CircleCheck,
  CircleX,
  Download,
  RefreshCw,
  TriangleAlert,
} from "lucide-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { read, refresh, type Schema } from "#web/api/client.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { Card, Facts, Page } from "#web/kit/page.tsx";
import { Badge } from "#web/kit/badge.tsx";
import { count, listText, words } from "#web/kit/numbers.ts";
import { Note, Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { durationText, Time } from "#web/kit/time.tsx";
import { Allowed } from "#web/components/allowed.tsx";
import { useCan } from "#web/components/permissions.ts";
import { DeadLetters } from "#web/features/operations/dead-letters.tsx";
import { History, SlowStatements } from "#web/features/operations/last-day.tsx";
import { Lag, Projection, Slot } from "#web/features/operations/progress.tsx";
import { Workers } from "#web/features/operations/workers.tsx";
import { everyMs, Known, Source, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** The state of the instance, each part separately: a part that does not respond is unknown and affects no other. */
export function OperationsScreen() {
  const queries = useQueryClient();
  const manage = useCan()("OPERATIONS_MANAGE");
  return (
    <Page
      title={t("operations.operations")}
      about={t("operations.stateOfThisInstanceUpdated")}
      actions={
        <>
          {manage && (
            <a className={buttonClass()} href="api/ops/support-bundle" download>
              <Download aria-hidden />
              {t("operations.supportBundle")}
            </a>
          )}
          <Button onClick={() => void refresh(queries, "/api/ops/")}>
            <RefreshCw aria-hidden />
            {t("operations.refresh")}
          </Button>
        </>
      }
    >
      <Allowed permission="OPERATIONS_VIEW" what={t("operations.howTheInstanceStands")}>
        <Overall />
        <DeadLetters />
        <History />
        <SlowStatements />
        <div className={styles.parts}>
          <Engines />
          <Lag />
          <Projection />
          <Slot />
          <Backup />
          <Versions />
        </div>
        <Workers />
      </Allowed>
    </Page>
  );
}

type Problem = Schema<"OpsProblem">;

const states = {
  OK: { tone: "good", icon: CircleCheck, text: "operations.noProblems" },
  WARNING: { tone: "warn", icon: TriangleAlert, text: "operations.worksWithWarnings" },
  ERROR: { tone: "bad", icon: CircleAlert, text: "operations.somethingHasFailed" },
} as const;

/** Whether the instance works, and every problem with what to do. */
function Overall() {
  const query = useQuery({ ...read("/api/ops/summary"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.overallState")}>
      <Shown of={query} what={t("operations.overallState2")} bones={2}>
        {({ state, problems }) => {
          const { tone, icon: Icon, text } = states[state];
          return (
            <div className={styles.stack}>
              <div>
                <Badge tone={tone} icon={<Icon aria-hidden />}>{t(text)}</Badge>{" "}
                <span className="soft">
                  {problems.length > 0 && t("operations.problemCount", { count: problems.length })}
                </span>
              </div>
              {problems.length > 0 && <Problems of={problems} />}
              <Source>{t("operations.enginesWorkersConsumerLagLineage")}</Source>
            </div>
          );
        }}
      </Shown>
    </Card>
  );
}

function Problems({ of }: { of: Problem[] }) {
  return (
    <ul className={styles.problems} aria-label={t("operations.problems")}>
      {of.map(({ level, part, subject, message, action }) => (
        <li key={`${part} ${subject} ${message}`}>
          <Badge tone={level === "ERROR" ? "bad" : "warn"}>{words(level)}</Badge>
          <div className={styles.two}>
            <span>
              <strong className="foreign">{subject}</strong>{" "}
              <span className="foreign">{message}</span>
            </span>
            {action && <span className="soft">{action}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}

type Engine = Schema<"OpsEngine">;

/** What keeps data, and whether it answers. */
function Engines() {
  const query = useQuery({ ...read("/api/ops/engines"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.engines")} flush>
      <Shown of={query} what={t("operations.engines2")} bones={5}>
        {({ items }) => (
          <Table
            label={t("operations.engines")}
            columns={columns()}
            rows={items}
            keyOf={({ port }) => port}
          />
        )}
      </Shown>
    </Card>
  );
}

const columns = (): Column<Engine>[] => [
  { name: t("operations.for"), cell: ({ port }) => words(port.replaceAll("-", "_")) },
  {
    name: t("operations.engine"),
    cell: ({ engine, version }) => (
      <span className="foreign">
        {engine} {version && <span className="soft">{version}</span>}
      </span>
    ),
  },
  { name: t("operations.state"), cell: (engine) => <EngineState of={engine} /> },
  {
    name: t("operations.latency"),
    right: true,
    tight: true,
    cell: ({ latency_ms: ms }) =>
      ms == null
        ? <span className="soft">{t("kit.unknown")}</span>
        : t("operations.milliseconds", { count: count(Math.ceil(ms)) }),
  },
];

function EngineState({ of: { state, cause } }: { of: Engine }) {
  if (state === "unknown") return <Unknown cause={cause} />;
  const up = state === "up";
  return (
    <span>
      <Badge
        tone={up ? "good" : "bad"}
        icon={up ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
      >
        {words(state)}
      </Badge>
      {cause && <span className="foreign soft">&ensp;{cause}</span>}
    </span>
  );
}

/** How old the newest scheduled backup is. */
function Backup() {
  const query = useQuery({ ...read("/api/ops/backup"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.backup")}>
      <Shown of={query} what={t("operations.backup2")} bones={3}>
        {(backup) => (
          <div className={styles.stack}>
            {backup.scheduled ? <Scheduled of={backup} /> : (
              <Note tone="warn">
                <Rich of="operations.noBackupsScheduled" tags={{ code: <code /> }} />
              </Note>
            )}
            <Source>{t("operations.theManifestsInThatDirectory")}</Source>
          </div>
        )}
      </Shown>
    </Card>
  );
}

function Scheduled({ of }: { of: Schema<"OpsBackup"> }) {
  const { state, cause, newest_at: newest, every_seconds: every, directory } = of;
  return (
    <Facts
      of={[
        [
          t("operations.newest"),
          state === "unknown"
            ? <Unknown key="newest" cause={cause} />
            : newest
            ? <Time key="newest" at={newest} />
            : <Badge key="newest" tone="warn">{t("operations.none")}</Badge>,
        ],
        [t("operations.every"), durationText(every ?? 0)],
        [t("operations.directory"), <span key="directory" className="foreign">{directory}</span>],
      ]}
    />
  );
}

/** Releases of the processes, of the schema and of the runtime; those of engines are in their table. */
function Versions() {
  const summary = useQuery({ ...read("/api/ops/summary"), refetchInterval: everyMs });
  const processes = useQuery({ ...read("/api/ops/workers"), refetchInterval: everyMs });
  const byRelease = Map.groupBy(processes.data?.items ?? [], ({ version }) => version);
  const releases = [...byRelease].map(([version, items]) =>
    t("operations.releaseOf", { version, count: items.length })
  );
  return (
    <Card title={t("operations.versions")}>
      <Shown of={summary} what={t("operations.versions2")} bones={4}>
        {({ release, schema_version: schema, runtime }) => (
          <div className={styles.stack}>
            <Facts
              of={[
                [
                  t("operations.thisProcess"),
                  <span key="release" className="foreign">{release}</span>,
                ],
                [
                  t("operations.allProcesses"),
                  processes.data?.state === "known"
                    ? (
                      <Badge key="all" tone={byRelease.size > 1 ? "warn" : "neutral"}>
                        {listText(releases)}
                      </Badge>
                    )
                    : <Unknown key="all" cause={processes.data?.cause} />,
                ],
                [t("operations.schema"), <Known key="schema" value={schema} />],
                [t("operations.runtime"), <span key="runtime" className="foreign">{runtime}</span>],
              ]}
            />
            <Source>{t("operations.theRespondingProcessTheReports")}</Source>
          </div>
        )}
      </Shown>
    </Card>
  );
}
