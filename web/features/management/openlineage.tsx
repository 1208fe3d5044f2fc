import { Page } from "#web/kit/page.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Segments } from "#web/kit/segments.tsx";
import { Bones } from "#web/kit/states.tsx";
import { t } from "#web/messages/text.ts";

const IntakeWarnings = lazyComponent(
  () =>
    import("#web/features/management/openlineage-warnings.tsx").then((all) => all.IntakeWarnings),
  <Bones lines={8} />,
);
const NameView = lazyComponent(
  () => import("#web/features/management/openlineage-name.tsx").then((all) => all.NameView),
  <Bones lines={8} />,
);
const RunView = lazyComponent(
  () => import("#web/features/management/openlineage-runs.tsx").then((all) => all.RunView),
  <Bones lines={8} />,
);

const views = ["complaints", "name", "run"] as const;
const segments = () =>
  [
    { value: "complaints", text: t("management.rejectedEvents") },
    { value: "name", text: t("management.resolveADatasetName") },
    { value: "run", text: t("management.findARun") },
  ] as const;

/** What operators ask of OpenLineage: what was not taken, what a name means, what became of a run. */
export function OpenLineage() {
  const [params, change] = useParamsOfView();
  const view = oneOf(params.view, views) ?? "complaints";
  return (
    <Page
      title={t("management.openlineage")}
      about={t("management.eventsFromSchedulersAndEngines")}
    >
      <Segments
        label={t("management.view")}
        of={segments()}
        value={view}
        onValue={(view) => change({ view: view === "complaints" ? undefined : view }, true)}
      />
      {view === "complaints" && <IntakeWarnings />}
      {view === "name" && <NameView />}
      {view === "run" && <RunView />}
    </Page>
  );
}
