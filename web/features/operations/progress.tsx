import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { useCan } from "#web/components/permissions.ts";
import { complain } from "#web/components/undo.ts";
import { changesText, everyMs, Known, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { WorkerState } from "#web/features/operations/workers.tsx";
import { Badge } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { bytes, count } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { Empty, Note, Shown } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Consumer = Schema<"OpsConsumerLag">;

/** Records that each consumer of the event log has still to do. */
export function Lag() {
  const query = useQuery({ ...read("/api/ops/lag"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.consumerLag")} flush>
      <Shown of={query} what={t("operations.lag2")} bones={5}>
        {({ items, lag }) =>
          items.length === 0 ? <Empty title={t("operations.noConsumers")} /> : (
            <>
              <p className={styles.lead}>
                <Behind lag={lag} />
              </p>
              <Table
                label={t("operations.consumerLag")}
                columns={consumerColumns()}
                rows={items}
                keyOf={({ group, topic }) => `${group} ${topic}`}
              />
            </>
          )}
      </Shown>
    </Card>
  );
}

function Behind({ lag }: { lag: number | null | undefined }) {
  const strong = <strong />;
  return lag == null
    ? <Rich of="operations.unknownBehind" values={{ lag: <Unknown /> }} tags={{ strong }} />
    : <Rich of="operations.recordsBehind" values={{ count: lag }} tags={{ strong }} />;
}

const consumerColumns = (): Column<Consumer>[] => [
  {
    name: t("operations.consumer"),
    cell: ({ group, topic }) => (
      <div className={styles.two}>
        <span className="foreign">{group}</span>
        <span className="foreign soft">{topic}</span>
      </div>
    ),
  },
  {
    name: t("operations.lag"),
    right: true,
    cell: ({ state, cause, lag }) =>
      state === "unknown" ? <Unknown cause={cause} /> : <Known value={lag} />,
  },
  { name: t("operations.byPartition"), cell: (one) => <Partitions of={one} /> },
];

function Partitions({ of: { partitions } }: { of: Consumer }) {
  const behind = partitions.filter(({ lag }) => lag > 0);
  if (partitions.length === 0) return null;
  return (
    <details>
      <summary>
        {t("operations.partitionsBehind", {
          behind: count(behind.length),
          all: count(partitions.length),
        })}
      </summary>
      <ul>
        {partitions.map(({ partition, lag, committed, end }) => (
          <li key={partition}>
            <Rich
              of="operations.partitionLag"
              values={{
                partition,
                lag: count(lag),
                committed: count(committed),
                end: count(end),
              }}
              tags={{ soft: <span className="soft" /> }}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

type ProjectionOf = Schema<"OpsProjection">;

/** How far the lineage graph is, and whether it equals the metadata. */
export function Projection() {
  const query = useQuery({
    ...read("/api/ops/projection"),
    refetchInterval: ({ state }) => state.data?.verification?.state === "RUNNING" ? 1_000 : everyMs,
  });
  const verify = useVerify();
  const running = query.data?.verification?.state === "RUNNING";
  const may = useCan()("OPERATIONS_MANAGE") && query.data?.projection === "PROJECTED";
  return (
    <Card
      title={t("operations.lineageGraph")}
      actions={may && (
        <Button
          small
          busy={verify.isPending || running}
          onClick={() => verify.mutate()}
        >
          {running ? t("operations.comparing") : t("operations.compareWithMetadata")}
        </Button>
      )}
    >
      <Shown of={query} what={t("operations.projection")} bones={5}>
        {(projection) => (
          <div className={styles.stack}>
            {projection.state === "unknown" && <Unknown cause={projection.cause} />}
            <Position of={projection} />
            {projection.verification && <Verification of={projection.verification} />}
          </div>
        )}
      </Shown>
    </Card>
  );
}

function Position({ of }: { of: ProjectionOf }) {
  if (of.projection === "INLINE") {
    return (
      <Facts
        of={[
          [t("operations.engine"), of.engine],
          [t("operations.kind"), t("operations.graphIsPartOfMetadata")],
        ]}
      />
    );
  }
  return (
    <Facts
      of={[
        [t("operations.engine"), of.engine],
        [t("operations.lag"), <Known key="lag" value={of.lag} text={changesText} />],
        [t("operations.graphIsAt"), <Known key="at" value={of.position} />],
        [t("operations.metadataAreAt"), <Known key="newest" value={of.newest} />],
        [
          t("operations.projector"),
          of.projector ? <WorkerState key="w" of={of.projector} /> : <Unknown key="w" />,
        ],
        !of.verification && [t("operations.comparison"), t("operations.noneYet")],
      ]}
    />
  );
}

function useVerify() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send("post", "/api/ops/projection/verify"),
    onSuccess: ({ state }) => toast(t("operations.comparisonIs", { state })),
    onError: (error) => complain(t("operations.couldNotStartTheComparison"), error),
    onSettled: () => refresh(queries, "/api/ops/projection"),
  });
}

type VerificationOf = Schema<"OpsVerification">;

const verificationTones = {
  RUNNING: "info",
  EQUAL: "good",
  DIFFERENT: "bad",
  FAILED: "warn",
} as const;

/** What the last comparison of graph and metadata found. */
function Verification({ of }: { of: VerificationOf }) {
  return (
    <Note tone={verificationTones[of.state]}>
      <Rich
        of="operations.resultAndTime"
        values={{ result: verificationText(of), time: <Time at={of.ended_at ?? of.started_at} /> }}
      />
      {of.cause && <div className="foreign">{of.cause}</div>}
      <Edges
        title={t("operations.missingInTheGraph", { count: of.missing.length })}
        edges={of.missing}
      />
      <Edges title={t("operations.inTheGraphOnly", { count: of.extra.length })} edges={of.extra} />
    </Note>
  );
}

function verificationText(
  { state, compared, missing_count, extra_count, more }: VerificationOf,
): string {
  const found = { missing: missing_count ?? 0, extra: extra_count ?? 0 };
  switch (state) {
    case "RUNNING":
      return t("operations.comparedSoFar", { count: compared });
    case "EQUAL":
      return t("operations.graphEqualsMetadata", { count: compared });
    case "DIFFERENT":
      return more ? t("operations.atLeastDiffer", found) : t("operations.edgesDiffer", found);
    case "FAILED":
      return t("operations.couldNotEndTheComparison");
  }
}

/** Edges that are named; more are in the answer of the API. */
const maxDifferences = 10;

function Edges({ title, edges }: { title: string; edges: VerificationOf["missing"] }) {
  if (edges.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <ul>
        {edges.slice(0, maxDifferences).map(({ parent_id, child_id }) => (
          <li key={`${parent_id}-${child_id}`}>{parent_id} → {child_id}</li>
        ))}
      </ul>
    </details>
  );
}

/** The slot that changes of alerts are read from. */
export function Slot() {
  const query = useQuery({ ...read("/api/ops/slot"), refetchInterval: everyMs });
  return (
    <Card title={t("operations.replicationSlot")}>
      <Shown of={query} what={t("operations.slot")} bones={5}>
        {({ state, cause, enabled, facts }) => (
          <div className={styles.stack}>
            {!enabled && <Note>{t("operations.notificationsAreOffAlertsAre")}</Note>}
            {state === "unknown" && <Unknown cause={cause} />}
            {facts && <SlotFacts facts={facts} />}
          </div>
        )}
      </Shown>
    </Card>
  );
}

function SlotFacts({ facts }: { facts: Schema<"OpsSlotFacts"> }) {
  const size = (value: number | null | undefined) => value == null ? <Unknown /> : bytes(value);
  return (
    <>
      {facts.invalidation_reason && (
        <Note tone="bad">{t("operations.slotGivenUp", { reason: facts.invalidation_reason })}</Note>
      )}
      <Facts
        of={[
          [t("operations.slotName"), <span key="s" className="foreign">{facts.slot}</span>],
          [
            t("operations.state"),
            facts.exists
              ? (
                <Badge key="state" tone={facts.active ? "good" : "warn"}>
                  {facts.active ? t("operations.readByANotifier") : t("operations.presentNoReader")}
                </Badge>
              )
              : <Badge key="state" tone="warn">{t("operations.missing")}</Badge>,
          ],
          [t("operations.notConfirmed"), size(facts.lag_bytes)],
          [t("operations.retainedOnDisk"), size(facts.retained_bytes)],
          [
            t("operations.notAnnounced"),
            <Known key="n" value={facts.unannounced} text={changesText} />,
          ],
          [
            t("operations.announcedSince"),
            <Time key="t" at={facts.announced_since} none={t("kit.notYet")} />,
          ],
          [
            t("operations.publication"),
            facts.publication_exists ? facts.publication : (
              <Badge key="p" tone="warn">
                {t("operations.isMissing", { name: facts.publication })}
              </Badge>
            ),
          ],
          [t("operations.walLevel"), facts.wal_level],
        ]}
      />
    </>
  );
}
