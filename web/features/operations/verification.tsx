import type { Schema } from "#web/api/client.ts";
import { count, plural } from "#web/kit/numbers.ts";
import { Note } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { t } from "#web/messages/text.ts";

type VerificationOf = Schema<"OpsVerification">;

const tones = { RUNNING: "info", EQUAL: "good", DIFFERENT: "bad", FAILED: "warn" } as const;

/** What the last comparison of graph and metadata found. */
export function Verification({ of }: { of: VerificationOf }) {
  return (
    <Note tone={tones[of.state]}>
      {textOf(of)} (<Time at={of.ended_at ?? of.started_at} />)
      {of.cause && <div className="foreign">{of.cause}</div>}
      <Edges title={t("operations.missingInTheGraph")} edges={of.missing} />
      <Edges title={t("operations.inTheGraphOnly")} edges={of.extra} />
    </Note>
  );
}

function textOf({ state, compared, missing_count, extra_count, more }: VerificationOf): string {
  switch (state) {
    case "RUNNING":
      return `${plural(compared, "edge")} compared so far`;
    case "EQUAL":
      return `Graph and metadata are equal: ${plural(compared, "edge")}`;
    case "DIFFERENT":
      return `${more ? "At least " : ""}${count(missing_count ?? 0)} missing and ${
        count(extra_count ?? 0)
      } extra edges: run npm run graph -- rebuild`;
    case "FAILED":
      return "Could not end the comparison";
  }
}

/** Edges that are named; more are in the answer of the API. */
const max = 10;

function Edges({ title, edges }: { title: string; edges: VerificationOf["missing"] }) {
  if (edges.length === 0) return null;
  return (
    <details>
      <summary>{title}: {count(edges.length)} named</summary>
      <ul>
        {edges.slice(0, max).map(({ parent_id, child_id }) => (
          <li key={`${parent_id}-${child_id}`}>{parent_id} → {child_id}</li>
        ))}
      </ul>
    </details>
  );
}
