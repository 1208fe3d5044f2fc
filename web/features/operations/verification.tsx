import type { Schema } from "#web/api/client.ts";
import { Note } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type VerificationOf = Schema<"OpsVerification">;

const tones = { RUNNING: "info", EQUAL: "good", DIFFERENT: "bad", FAILED: "warn" } as const;

/** What the last comparison of graph and metadata found. */
export function Verification({ of }: { of: VerificationOf }) {
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
