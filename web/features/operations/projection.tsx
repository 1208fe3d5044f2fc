import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { messagesByField } from "#web/api/errors.ts";
import { Button } from "#web/kit/button.tsx";
import { Card, Facts } from "#web/kit/page.tsx";
import { Note, Shown } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import { Time } from "#web/kit/time.tsx";
import { useCan } from "#web/components/permissions.ts";
import { changesText, everyMs, Known, Unknown } from "#web/features/operations/known.tsx";
import { WorkerState } from "#web/features/operations/workers.tsx";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

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
    onError: (error) =>
      toast(t("operations.couldNotStartTheComparison"), {
        tone: "bad",
        about: [...messagesByField(error).values()].join("; "),
      }),
    onSettled: () => refresh(queries, "/api/ops/projection"),
  });
}

type VerificationOf = Schema<"OpsVerification">;

const tones = { RUNNING: "info", EQUAL: "good", DIFFERENT: "bad", FAILED: "warn" } as const;

/** What the last comparison of graph and metadata found. */
function Verification({ of }: { of: VerificationOf }) {
  return (
    <Note tone={tones[of.state]}>
      <Rich
        of="operations.resultAndTime"
        values={{ result: textOf(of), time: <Time at={of.ended_at ?? of.started_at} /> }}
      />
      {of.cause && <div className="foreign">{of.cause}</div>}
      <Edges
        title={t("operations.missingInTheGraph", { count: of.missing.length })}
        edges={of.missing}
      />
      <Edges
        title={t("operations.inTheGraphOnly", { count: of.extra.length })}
        edges={of.extra}
      />
    </Note>
  );
}

function textOf({ state, compared, missing_count, extra_count, more }: VerificationOf): string {
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
const max = 10;

function Edges({ title, edges }: { title: string; edges: VerificationOf["missing"] }) {
  if (edges.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <ul>
        {edges.slice(0, max).map(({ parent_id, child_id }) => (
          <li key={`${parent_id}-${child_id}`}>{parent_id} → {child_id}</li>
        ))}
      </ul>
    </details>
  );
}
