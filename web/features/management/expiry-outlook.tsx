import type { ReactNode } from "react";
import type { Schema } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Note } from "#web/kit/states.tsx";
import { exactTime, Time } from "#web/kit/time.tsx";
import { CodeBlock } from "#web/kit/code.tsx";
import { lengthOf } from "#web/features/management/expiry-policy.tsx";
import styles from "#web/features/management/expiry.module.css";
import { t } from "#web/messages/text.ts";

type Policy = Schema<"DataSourceExpiryPolicy">;
type Outlook = Schema<"DataSourceExpiryOutlook">;

/** What a sweep would do now, with the numbers that it goes by. */
export function ExpiryOutlook(
  { catrn, policy, outlook }: { catrn: string; policy: Policy; outlook: Outlook },
) {
  return (
    <div className={styles.stack}>
      <OutlookSummary policy={policy} outlook={outlook} />
      <dl className={styles.tiles}>
        <Tile name={t("management.entities")} value={count(outlook.live)} />
        <Tile name={t("management.noLongerReported")} value={count(outlook.stale)} />
        <Tile name={t("management.limitPerSweep")} value={count(outlook.fuse)} />
        <Tile name={t("management.sourceSeen")} value={<Time at={outlook.seen_at} />} />
      </dl>
      {outlook.state === "held" && <ExpiryRelease stale={outlook.stale} catrn={catrn} />}
    </div>
  );
}

function Tile({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className={styles.tile}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function OutlookSummary({ policy, outlook }: { policy: Policy; outlook: Outlook }) {
  const { state, stale, fuse } = outlook;
  switch (state) {
    case "none":
      return (
        <Note tone="good">
          {t("management.nothingIsStaleTheCollector")}
        </Note>
      );
    case "silent":
      return <Note>{silence(policy, outlook)}</Note>;
    case "held":
      return (
        <Note tone="bad">
          {t("management.theFuseHoldsAllBack", { stale: count(stale), fuse: count(fuse) })}
        </Note>
      );
    case "due":
      return <Note tone="warn">{due(policy, outlook)}</Note>;
  }
}

/** Why a source that does not speak loses nothing. */
function silence({ after_hours }: Policy, { stale, seen_earlier, seen_later }: Outlook): string {
  return t("management.sourceWasNotSeen", {
    half: seen_later ? "first" : seen_earlier ? "second" : "whole",
    period: lengthOf(after_hours),
    stale,
  });
}

function due({ act, dry_run }: Policy, { stale, approved, approved_until }: Outlook): string {
  const text = t("management.nextSweep", { act, dryRun: String(dry_run), count: stale });
  if (approved == null || approved_until == null) return text;
  const until = { count: approved, time: exactTime(approved_until) };
  return `${text} ${t("management.wereApproved", until)}`;
}

/** Whether a shell takes it as it is: a CATRN is a collector's word, and a command is copied. */
function isPlain(catrn: string): boolean {
  return /^[\w/.:@%+=,~-]+$/.test(catrn);
}

/** How the fuse is released. */
function ExpiryRelease({ stale, catrn }: { stale: number; catrn: string }) {
  const plain = isPlain(catrn);
  return (
    <section className={styles.stack}>
      <h3>{t("management.howToReleaseIt")}</h3>
      <ol className={styles.steps}>
        <li>{t("management.checkBelowWhetherTheseAssets")}</li>
        <li>
          {t("management.ifTheyAreNotFix")}
        </li>
        <li>
          {plain ? t("management.approveThem") : t("management.approveThemQuoted")}
        </li>
      </ol>
      <CodeBlock
        text={`npm run stale -- approve --count ${stale} --source '${plain ? catrn : "…"}'`}
        what={t("management.command")}
      />
      <p className="soft">
        {t("management.approvalCounts", { count: count(stale) })}
      </p>
    </section>
  );
}
