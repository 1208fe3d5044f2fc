import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { CalendarOff } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Empty, Note, Shown } from "#web/kit/states.tsx";
import { type Column, More, Table, timeColumn } from "#web/kit/table.tsx";
import { exactTime, Time } from "#web/kit/time.tsx";
import { count } from "#web/kit/numbers.ts";
import { CodeBlock } from "#web/kit/copy.tsx";
import { Facts } from "#web/kit/page.tsx";
import { Allowed } from "#web/components/allowed.tsx";
import { useCan } from "#web/components/permissions.ts";
import { nameOf, TabLink } from "#web/components/entity-link.tsx";
import styles from "#web/features/management/expiry.module.css";
import { t } from "#web/messages/text.ts";

type Expiry = Schema<"DataSourceExpiry">;

/** Entities that are named at first, and at most. */
const [few, many] = [100, 1_000];

/** What would expire of a data source now, by which policy, and what the fuse makes of it. Nothing here changes anything. */
export function ExpiryDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [limit, setLimit] = useState(few);
  const query = useQuery({
    ...read("/api/datasources/{data_source_id}/expiry", {
      path: { data_source_id: id },
      query: { limit },
    }),
    enabled: useCan()("OPERATIONS_VIEW"),
  });
  return (
    <Dialog
      open
      wide
      title={query.data
        ? t("management.expiryOf", { name: query.data.name })
        : t("management.expiryOfSource", { id })}
      about={t("management.assetsThatTheCollectorNo")}
      actions={<Button variant="primary" onClick={onClose}>{t("management.done")}</Button>}
      onClose={onClose}
    >
      <div className={styles.room}>
        <Allowed permission="OPERATIONS_VIEW" what={t("management.whatExpires")}>
          <Shown of={query} what={t("management.dataSource")} bones={9}>
            {(found) => (
              <Found
                of={found}
                busy={query.isFetching}
                onMore={limit < many ? () => setLimit(many) : undefined}
              />
            )}
          </Shown>
        </Allowed>
      </div>
    </Dialog>
  );
}

function Found({ of, onMore, busy }: { of: Expiry; onMore?: () => void; busy: boolean }) {
  const { policy, outlook, items, catrn } = of;
  if (!policy || !outlook) return <NoPolicy />;
  return (
    <>
      <ExpiryPolicy of={policy} />
      <ExpiryOutlook {...{ catrn, policy, outlook }} />
      {items.length > 0 && (
        <ExpiryEntities
          items={items}
          total={outlook.stale}
          act={policy.act}
          onMore={onMore}
          busy={busy}
        />
      )}
    </>
  );
}

type Stale = Schema<"StaleEntity">;

/** What would leave, held back or not. */
function ExpiryEntities(
  { items, total, act, onMore, busy }: {
    items: Stale[];
    total: number;
    act: "edges" | "delete";
    onMore?: () => void;
    busy: boolean;
  },
) {
  return (
    <section className={styles.stack}>
      <h3>{t("management.wouldLeave", { act })}</h3>
      <div className={styles.list}>
        <Table
          label={t("management.assetsToExpire")}
          columns={columns()}
          rows={items}
          keyOf={({ id }) => id}
        />
        <More
          shown={items.length}
          total={total}
          hasNext={onMore !== undefined && items.length < total}
          busy={busy}
          onMore={() => onMore?.()}
        />
      </div>
    </section>
  );
}

const columns = (): Column<Stale>[] => [
  { name: t("management.entity"), cell: (one) => <Names of={one} /> },
  timeColumn(t("management.broughtLast"), ({ seen_at }) => seen_at),
];

function Names({ of: { id, name, catrn } }: { of: Stale }) {
  const shown = nameOf({ id, external_name: name, catrn });
  return (
    <div className={styles.names}>
      <TabLink id={id} className="foreign">{shown}</TabLink>
      {shown !== catrn && <span className="mono foreign soft">{catrn}</span>}
    </div>
  );
}

type Policy = Schema<"DataSourceExpiryPolicy">;
type Outlook = Schema<"DataSourceExpiryOutlook">;

/** What a sweep would do now, with the numbers that it goes by. */
function ExpiryOutlook(
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
      return <Note tone="good">{t("management.nothingIsStaleTheCollector")}</Note>;
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
        <li>{t("management.ifTheyAreNotFix")}</li>
        <li>
          {plain ? t("management.approveThem") : t("management.approveThemQuoted")}
        </li>
      </ol>
      <CodeBlock
        text={`npm run stale -- approve --count ${stale} --source '${plain ? catrn : "…"}'`}
        what={t("management.command")}
      />
      <p className="soft">{t("management.approvalCounts", { count: count(stale) })}</p>
    </section>
  );
}

/** A length of time in words: whole days where it is some. */
function lengthOf(hours: number): string {
  const { unit, count } = inUnits(hours);
  return t(lengths[unit], { count });
}

const lengths = {
  day: "management.days",
  hour: "management.hours",
  minute: "management.minutes",
} as const;

function inUnits(hours: number): { unit: keyof typeof lengths; count: number } {
  if (hours >= 48 && hours % 24 === 0) return { unit: "day", count: hours / 24 };
  return hours >= 1 && Number.isInteger(hours)
    ? { unit: "hour", count: hours }
    : { unit: "minute", count: Math.round(hours * 60) };
}

/** What the configuration says of the source. */
function ExpiryPolicy({ of }: { of: Policy }) {
  return (
    <div className={styles.stack}>
      {of.dry_run && <Note>{t("management.dryRunHousekeepingStaleDry")}</Note>}
      <Facts
        of={[
          [
            t("management.rule"),
            t("management.whatIsNotBrought", { act: of.act, period: lengthOf(of.after_hours) }),
          ],
          [t("management.policyOf"), <span key="p" className="mono foreign">{of.source}</span>],
          [t("management.sweeps"), t("management.each", inUnits(of.every_hours))],
        ]}
      />
    </div>
  );
}

// deno-lint-ignore house/interface-text -- a configuration file
const example = `housekeeping:
  stale:
    # Look first: nothing expires until this is off.
    dry-run: true
    sources:
      - source: //… # the CATRN of this source, or what several begin with
        after: 14 d
        act: delete # or edges`;

/** Nothing expires of it, and how that would be changed. */
function NoPolicy() {
  return (
    <div className={styles.stack}>
      <Empty title={t("management.nothingExpires")} icon={<CalendarOff aria-hidden />}>
        {t("management.noPolicyOfHousekeepingStale")}
      </Empty>
      <CodeBlock text={example} what={t("management.configuration")} />
    </div>
  );
}
