import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  Eye,
  Mail,
  Play,
  RefreshCw,
  ShieldCheck,
  TriangleAlert,
  UserRound,
  Users,
} from "lucide-react";
import type { ReactNode } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { classes, type Tone, toneClass } from "#web/kit/classes.ts";
import { listText, noun } from "#web/kit/numbers.ts";
import { durationText, exactTime, Time } from "#web/kit/time.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { classesOf, type EntityTab } from "#web/components/entity-tabs.ts";
import { runStatusStyles } from "#web/components/status.tsx";
import { mailLink, mailOf } from "#web/components/owner-mail.ts";
import { OwnerLink } from "#web/components/owners.tsx";
import type { Details } from "#web/features/entity/use-entity.ts";
import { readsText, testsText } from "#web/features/entity/trust.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Whether one can rely on it, in one line: how fresh it is, whose, who uses it, what is wrong. Nothing stands for what is not known. */
export function TrustStrip({ of }: { of: Details }) {
  const consumers = of.stats?.consumers_count ?? 0;
  return (
    <ul className={styles.trust} aria-label={t("entity.atAGlance")}>
      <Freshness of={of} />
      <OwnerNames of={of} />
      {consumers > 0 && (
        <Item icon={<Users />} to="lineage" id={of.id} search={{ up: "0" }}>
          {t("entity.consumers2", { consumers })}
        </Item>
      )}
      {of.usage && <Reads of={of.usage} />}
      {of.latest_run && <LastRun id={of.id} run={of.latest_run} />}
      <OpenAlerts id={of.id} />
      {classesOf(of).has("DATA_SET") && <Tests id={of.id} />}
    </ul>
  );
}

function Item(
  { icon, tone, to, id, search, children }: {
    icon: ReactNode;
    tone?: Tone;
    to: EntityTab;
    id: number;
    search?: Record<string, string>;
    children: ReactNode;
  },
) {
  return (
    <li className={classes(tone && toneClass(tone), tone && styles.toned)}>
      <Link to={`/dataentities/$id/${to}`} params={{ id: String(id) }} search={search as never}>
        {icon}
        {children}
      </Link>
    </li>
  );
}

/**
 * When it was updated and how often that happens, late in the tone of what is wrong. Where too little is known of its
 * updates: when its source changed it, or else when it was read last.
 */
function Freshness({ of }: { of: Details }) {
  const { source_updated_at: changed, last_ingested_at: ingested } = of;
  const { data } = useQuery(read("/api/dataentities/health", { query: { ids: [of.id] } }));
  const rhythm = data?.items[0]?.freshness;
  if (rhythm) {
    const isLate = rhythm.state === "LATE";
    return (
      <li className={classes(isLate && toneClass("bad"), isLate && styles.toned)}>
        <RefreshCw aria-hidden />
        <Rich
          of="entity.updatedUsuallyEvery"
          values={{
            time: <Time at={rhythm.last_updated_at} />,
            usualGapSeconds: durationText(rhythm.usual_gap_seconds),
          }}
        />
      </li>
    );
  }
  if (!changed && !ingested) return null;
  const title = [
    changed && t("entity.changedInSource", { time: exactTime(changed) }),
    ingested && t("entity.lastIngested", { time: exactTime(ingested) }),
  ].filter(Boolean).join("; ");
  return (
    <li title={title}>
      <RefreshCw aria-hidden />
      {changed ? t("entity.changed") : t("entity.ingested")} <Time at={changed ?? ingested} />
    </li>
  );
}

/** Milliseconds after which it matters when reads were counted last. */
const oldMs = 2 * 24 * 60 * 60 * 1_000;

/** How often it is read in its source, and since when that is counted. */
function Reads({ of }: { of: Schema<"DatasetUsage"> }) {
  const title = [
    t("entity.readsCounted", { since: exactTime(of.since), until: exactTime(of.until) }),
    of.roles.length > 0 &&
    t("entity.mostBy", { roles: listText(of.roles.map(({ name }) => name)) }),
  ].filter(Boolean).join("; ");
  const isOld = Date.now() - Date.parse(of.until) > oldMs;
  return (
    <li title={title}>
      <Eye aria-hidden /> {isOld
        ? (
          <Rich
            of="entity.counted"
            values={{ reads: readsText(of), time: <Time at={of.until} /> }}
          />
        )
        : readsText(of)}
    </li>
  );
}

function LastRun({ id, run }: { id: number; run: Schema<"DataEntityRun"> }) {
  return (
    <Item icon={<Play aria-hidden />} tone={runStatusStyles[run.status].tone} to="history" id={id}>
      <Rich
        of="entity.lastRun"
        values={{
          status: noun(run.status),
          time: <Time at={run.end_time ?? run.start_time} />,
        }}
      />
    </Item>
  );
}

function OpenAlerts({ id }: { id: number }) {
  const { data: open } = useQuery(
    read("/api/dataentities/{data_entity_id}/alerts/counts", {
      path: { data_entity_id: id },
      query: { status: "OPEN" },
    }),
  );
  if (open === undefined) return null;
  if (open === 0) {
    return (
      <li>
        <CircleCheck aria-hidden /> {t("entity.noOpenAlerts")}
      </li>
    );
  }
  return (
    <Item icon={<TriangleAlert aria-hidden />} tone="bad" to="alerts" id={id}>
      {t("entity.openAlerts", { open })}
    </Item>
  );
}

/** The last finished run of each of its tests, as one number. */
function Tests({ id }: { id: number }) {
  const { data } = useQuery(
    read("/api/datasets/{data_entity_id}/test_report", { path: { data_entity_id: id } }),
  );
  const tests = data && testsText(data);
  if (!tests) return null;
  return (
    <Item icon={<ShieldCheck aria-hidden />} tone={tests.tone} to="tests" id={id}>
      {tests.text}
    </Item>
  );
}

/** The first owner with a way to reach them, and how many there are besides. */
function OwnerNames({ of }: { of: Details }) {
  const all = of.ownership ?? [];
  const owner = all[0]?.owner;
  if (!owner) return null;
  const mail = mailOf(owner.associated_user);
  const names = all.map(({ owner, title }) =>
    listText([owner.name, title?.name ?? ""].filter(Boolean))
  );
  return (
    <li>
      <UserRound aria-hidden />
      <OwnerLink of={owner} title={names.join("; ")} />
      {all.length > 1 && <span className="soft">+{all.length - 1}</span>}
      {mail && (
        <a href={mailLink(mail, nameOf(of))} title={t("entity.writeTo", { name: mail })}>
          <Mail aria-label={t("entity.writeTo", { name: owner.name })} />
        </a>
      )}
    </li>
  );
}
