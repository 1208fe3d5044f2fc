import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Card, Columns, Page } from "#web/kit/page.tsx";
import { Bones } from "#web/kit/states.tsx";
import { count, plural } from "#web/kit/numbers.ts";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { useArrived } from "#web/features/home/arrived.ts";
import { OpenAlerts } from "#web/features/home/open-alerts.tsx";
import { MyObjects } from "#web/features/home/my-objects.tsx";
import { Favourites, Recent } from "#web/features/home/lists.tsx";
import { reads } from "#web/features/home/reads.ts";
import { t } from "#web/messages/text.ts";

const FirstSteps = lazyComponent(() =>
  import("#web/features/home/first-steps.tsx").then((all) => all.FirstSteps)
);
// Below what people come for.
const below = () => import("#web/features/home/below.tsx");
const RecentChanges = lazyComponent(
  () => below().then((all) => all.RecentChanges),
  <Card title="Recent changes">
    <Bones lines={8} />
  </Card>,
);
const Side = lazyComponent(() => below().then((all) => all.Side));

/** What broke first, then what is one's own, then the catalogue. */
export function HomeScreen() {
  const identity = useIdentity().data;
  const info = useAppInfo().data;
  const usage = useUsage();
  const [wasEmpty, setWasEmpty] = useState(false);
  const isEmpty = usage.data?.total_count === 0;
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  const owner = identity?.owner;
  const arrived = useArrived();
  return (
    <Page
      title={owner ? `Hello ${owner.name}` : t("home.home")}
      about={isEmpty ? t("home.theCatalogueIsEmpty") : usage.data
        ? (
          <>
            {plural(usage.data.total_count, "asset")} in the catalogue
            {usage.data.unfilled_count > 0 && (
              <>, {count(usage.data.unfilled_count)} without content added by people</>
            )}. <Link to="/search">{t("home.searchTheCatalogue")}</Link>
          </>
        )
        // The line is there from the first, so that nothing moves.
        : usage.isPending && t("home.theCatalogue")}
    >
      {wasEmpty && usage.data && <FirstSteps usage={usage.data} />}
      {!arrived && <Columns main={<Bones lines={8} />} side={<Bones lines={8} />} />}
      <div hidden={!arrived || isEmpty}>
        <Columns
          main={
            <>
              <OpenAlerts mine={Boolean(owner)} />
              <RecentChanges />
              {info?.authType !== "DISABLED" && <MyObjects owner={owner?.name} />}
              <Recent />
            </>
          }
          side={
            <>
              <Favourites />
              <Side />
            </>
          }
        />
      </div>
    </Page>
  );
}

/** Milliseconds between two looks into a catalogue that is empty; subscribers to changes learn of it sooner. */
const whileEmptyMs = 5_000;

function useUsage() {
  return useQuery({
    ...reads.usage,
    refetchInterval: ({ state }) => state.data?.total_count === 0 ? whileEmptyMs : false,
  });
}
