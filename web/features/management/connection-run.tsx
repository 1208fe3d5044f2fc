import type { Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { listText, words } from "#web/kit/numbers.ts";
import { Note } from "#web/kit/states.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

type Run = Schema<"ConnectionRun">;

const tones: Record<Run["state"], Tone> = {
  QUEUED: "neutral",
  RUNNING: "info",
  SUCCEEDED: "good",
  PARTIAL: "warn",
  FAILED: "bad",
  CANCELLED: "neutral",
};
const checkTones: Record<Schema<"ConnectionCheck">["outcome"], Tone> = {
  OK: "good",
  WARNING: "warn",
  FAILED: "bad",
};

export function RunStateBadge({ state }: { state: Run["state"] }) {
  return <Badge tone={tones[state]}>{words(state)}</Badge>;
}

export const isOpen = ({ state }: Run) => state === "QUEUED" || state === "RUNNING";

/** What a run has found, as far as it has come. */
export function RunResult({ of }: { of: Run }) {
  return (
    <div className={styles.stack} aria-live="polite">
      <p>
        <RunStateBadge state={of.state} /> {kindNames()[of.kind]}: {countsOf(of)}
      </p>
      {of.error && <Problem tone="bad" of={of.error} />}
      {of.checks.map((check) => (
        <p key={check.name}>
          <Badge tone={checkTones[check.outcome]}>{check.name}</Badge> {check.detail}
          {check.remedy && `. ${check.remedy}`}
        </p>
      ))}
      {of.kind === "PREVIEW" && of.preview.length > 0 && (
        <ul>
          {of.preview.map((name) => <li key={name} className="foreign mono">{name}</li>)}
        </ul>
      )}
      {of.problems.map((problem) => (
        <Problem key={problem.object + problem.reason} tone="warn" of={problem} />
      ))}
    </div>
  );
}

function Problem({ of, tone }: { of: Schema<"ConnectionProblem">; tone: "bad" | "warn" }) {
  const { object, reason, remedy } = of;
  return (
    <Note tone={tone}>
      <span className="foreign">{object}</span>: {reason}
      {remedy && `. ${remedy}`}
    </Note>
  );
}

const kindNames = (): Record<Run["kind"], string> => ({
  RUN: t("management.run"),
  TEST: t("management.test"),
  PREVIEW: t("management.preview"),
});

/** The counts that say something. */
function countsOf({ kind, counts }: Run): string {
  const { read, added, changed, removed, skipped } = counts;
  if (kind === "TEST") return t("management.nothingIsRead");
  const parts = [t("management.assetsRead", { count: read })];
  if (added > 0) parts.push(t("management.countAdded", { count: added }));
  if (changed > 0) parts.push(t("management.countChanged", { count: changed }));
  if (removed > 0) parts.push(t("management.countRemoved", { count: removed }));
  if (skipped > 0) parts.push(t("management.countSkipped", { count: skipped }));
  return listText(parts);
}
