import { CalendarOff } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { CodeBlock } from "#web/kit/code.tsx";
import { Facts } from "#web/kit/page.tsx";
import { Empty, Note } from "#web/kit/states.tsx";
import styles from "#web/features/management/expiry.module.css";
import { t } from "#web/messages/text.ts";

type Policy = Schema<"DataSourceExpiryPolicy">;

/** A length of time in words: whole days where it is some. */
export function lengthOf(hours: number): string {
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
export function ExpiryPolicy({ of }: { of: Policy }) {
  return (
    <div className={styles.stack}>
      {of.dry_run && (
        <Note>
          {t("management.dryRunHousekeepingStaleDry")}
        </Note>
      )}
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
export function NoPolicy() {
  return (
    <div className={styles.stack}>
      <Empty title={t("management.nothingExpires")} icon={<CalendarOff aria-hidden />}>
        {t("management.noPolicyOfHousekeepingStale")}
      </Empty>
      <CodeBlock text={example} what={t("management.configuration")} />
    </div>
  );
}
