import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { plural } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { useAppInfo, useCan } from "#web/components/permissions.ts";
import { LoadDemo } from "#web/features/home/load-demo.tsx";
import { describedState, type StepState } from "#web/features/home/steps.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

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

const icons = {
  done: <CircleCheck aria-label="Done" />,
  waiting: <LoaderCircle aria-label="Waiting" />,
  open: <CircleDashed aria-label="To do" />,
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
  return (
    <li data-state={state}>
      {icons[state]}
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
        ? plural(total, "asset") + (origin ? ` from ${origin}` : "")
        : "Waiting for the first batch…"}
    >
      <Section to="connections">{t("home.readADatabase")}</Section>,{" "}
      <Section to="integrations">{t("home.sendFromDbtAirflowOr")}</Section>, or{" "}
      <Section to="sources">{t("home.createADataSource")}</Section> and post with its token.
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
    ...read("/api/directory/datasources", { params: { query: { prefix: prefix ?? "" } } }),
    enabled: prefix !== undefined,
  });
  if (prefix !== undefined && sources?.items.length === 1) return sources.items[0]!.name;
  return systems.map(({ name }) => name).join(", ") || undefined;
}

function Describe({ usage }: { usage: Usage }) {
  const { state, text } = describedState(usage);
  return (
    <Step title={t("home.describeYourAssets")} state={state} said={text}>
      <Link to="/search">{t("home.searchTheCatalogue")}</Link>, open an asset, and add a
      description, an owner or a tag. <Link to="/terms">{t("home.theGlossary")}</Link>{" "}
      defines words once.
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
      said={data && (off ? "Sign-in is off: anyone can change anything" : "Sign-in is on")}
    >
      {off && (
        <>
          Set <code>auth.type</code> in the configuration.{" "}
        </>
      )}Give people <Section to="owners">{t("home.owners")}</Section> and{" "}
      <Section to="roles">{t("home.roles")}</Section>.
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
      said={data.enabled ? "Notifications are on" : "Notifications are off"}
    >
      Alerts go to mail, chat or a webhook: set <code>notifications.enabled</code>{" "}
      and a receiver in the configuration.
    </Step>
  );
}

function Section({ to, children }: { to: string; children: ReactNode }) {
  return <Link to="/management/$section" params={{ section: to }}>{children}</Link>;
}
