import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Card } from "#web/kit/page.tsx";
import { useAppInfo, useCan } from "#web/components/permissions.ts";
import { describedState, type StepState } from "#web/features/home/steps.ts";
import styles from "#web/features/home/home.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import { listText } from "#web/kit/numbers.ts";
import { Button } from "#web/kit/button.tsx";
import { useForm } from "#web/kit/form.tsx";
import { Note } from "#web/kit/states.tsx";

type Usage = Schema<"DataEntityUsageInfo">;

/** What to do with an empty catalogue, in four steps, each with what the service says of it. */
export function FirstSteps({ usage }: { usage: Usage }) {
  return (
    <Card title={t("home.firstSteps")}>
      <ol className={styles.steps}>
        <Connect usage={usage} />
        <Describe usage={usage} />
        <Invite />
        <BeNotified />
      </ol>
    </Card>
  );
}

const icons: Record<StepState, [icon: LucideIcon, text: PlainKey]> = {
  done: [CircleCheck, "home.done"],
  waiting: [LoaderCircle, "home.waiting"],
  open: [CircleDashed, "home.toDo"],
};

function Step(
  { title, state, said, children }: {
    title: string;
    state: StepState;
    /** How far it is. */
    said?: ReactNode;
    children: ReactNode;
  },
) {
  const [Icon, text] = icons[state];
  return (
    <li data-state={state}>
      <Icon aria-label={t(text)} />
      <div>
        <h3>{title}</h3>
        {said && <p role="status">{said}</p>}
        <div className="soft">{children}</div>
      </div>
    </li>
  );
}

function Connect({ usage }: { usage: Usage }) {
  const { total_count: total } = usage;
  const origin = useOrigin(total > 0);
  return (
    <Step
      title={t("home.connectASourceOrSend")}
      state={total > 0 ? "done" : "waiting"}
      said={total > 0
        ? origin
          ? t("home.assetsFrom", { count: total, origin })
          : t("home.assets", { count: total })
        : t("home.waitingForTheFirstBatch")}
    >
      <Rich
        of="home.waysToConnect"
        tags={{
          connections: <Section to="connections" />,
          integrations: <Section to="integrations" />,
          sources: <Section to="sources" />,
        }}
      />
      <LoadDemo />
    </Step>
  );
}

/** Where the assets come from: the data source, if it is one, else the systems. */
function useOrigin(enabled: boolean): string | undefined {
  const { data } = useQuery({ ...read("/api/directory"), enabled });
  const systems = (data?.items ?? []).filter(({ entities_count: assets }) => assets > 0);
  const prefix = systems.length === 1 ? systems[0]!.prefix : undefined;
  const { data: sources } = useQuery({
    ...read("/api/directory/datasources", { query: { prefix: prefix ?? "" } }),
    enabled: prefix !== undefined,
  });
  if (prefix !== undefined && sources?.items.length === 1) return sources.items[0]!.name;
  return systems.length === 0 ? undefined : listText(systems.map(({ name }) => name));
}

function Describe({ usage }: { usage: Usage }) {
  const { state, text } = describedState(usage);
  return (
    <Step title={t("home.describeYourAssets")} state={state} said={text}>
      <Rich
        of="home.howToDescribe"
        tags={{ search: <Link to="/search" />, terms: <Link to="/terms" /> }}
      />
    </Step>
  );
}

function Invite() {
  const { data } = useAppInfo();
  const off = data?.authType === "DISABLED";
  return (
    <Step
      title={t("home.inviteYourTeam")}
      state={data && !off ? "done" : "open"}
      said={data && (off ? t("home.signInIsOff") : t("home.signInIsOn"))}
    >
      {off && (
        <>
          <Rich of="home.setAuthType" tags={{ code: <code /> }} />
          {" "}
        </>
      )}
      <Rich
        of="home.giveOwnersAndRoles"
        tags={{ owners: <Section to="owners" />, roles: <Section to="roles" /> }}
      />
    </Step>
  );
}

function BeNotified() {
  const can = useCan();
  const { data } = useQuery({ ...read("/api/ops/slot"), enabled: can("OPERATIONS_VIEW") });
  // Who may not see the operations cannot see its state.
  if (!data) return null;
  return (
    <Step
      title={t("home.beNotified")}
      state={data.enabled ? "done" : "open"}
      said={data.enabled ? t("home.notificationsAreOn") : t("home.notificationsAreOff")}
    >
      <Rich of="home.howToBeNotified" tags={{ code: <code /> }} />
    </Step>
  );
}

function Section({ to, children }: { to: string; children?: ReactNode }) {
  return <Link to="/management/$section" params={{ section: to }}>{children}</Link>;
}

/** Milliseconds between two looks at how far it is. */
const lookMs = 1_000;

/** A button that fills an empty catalogue with the demonstration, then how far that is. */
function LoadDemo() {
  const can = useCan();
  const queries = useQueryClient();
  const { data } = useQuery({
    ...read("/api/demonstration"),
    refetchInterval: ({ state }) => state.data?.state === "RUNNING" ? lookMs : false,
  });
  const form = useForm(
    () => send("post", "/api/demonstration"),
    () => refresh(queries, "/api/demonstration"),
  );
  if (!data || !can("DATA_SOURCE_CREATE")) return null;
  if (data.state === "AVAILABLE") {
    return (
      <div className={styles.demo}>
        <Button busy={form.busy} onClick={() => form.submit(undefined)}>
          {t("home.loadTheDemo")}
        </Button>{" "}
        <span>{t("home.aShopWith278Items")}</span>
        {form.failed && <Note tone="bad">{form.rest().join("; ")}</Note>}
      </div>
    );
  }
  return <DemoProgress of={data} />;
}

function DemoProgress({ of }: { of: Schema<"Demonstration"> }) {
  if (of.state === "FAILED") {
    return <Note tone="bad">{t("home.demoNotLoaded", { problem: of.problem ?? "" })}</Note>;
  }
  if (of.state === "DONE") return <Note tone="good">{t("home.theDemoIsLoaded")}</Note>;
  if (of.state !== "RUNNING") return null;
  return (
    <div className={styles.demo}>
      <progress aria-label={t("home.loadingTheDemo")} max={of.total || undefined} value={of.done} />
      {" "}
      <span role="status">{t("home.loadingStep", { step: of.next ?? "" })}</span>
    </div>
  );
}
