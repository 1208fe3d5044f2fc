import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Card, Columns, Page } from "#web/kit/page.tsx";
import { Bones } from "#web/kit/states.tsx";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { useArrived } from "#web/features/home/arrived.ts";
import { OpenAlerts } from "#web/features/home/open-alerts.tsx";
import { MyObjects } from "#web/features/home/my-objects.tsx";
import { Favorites, Recent } from "#web/features/home/lists.tsx";
import { reads } from "#web/features/home/reads.ts";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

const FirstSteps = lazyComponent(() =>
  import("#web/features/home/first-steps.tsx").then((all) => all.FirstSteps)
);
// Below what people come for.
const below = () => import("#web/features/home/below.tsx");
const RecentChanges = lazyComponent(
  () => below().then((all) => all.RecentChanges),
  () => (
    <Card title={t("home.recentChanges")}>
      <Bones lines={8} />
    </Card>
  ),
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
      title={owner ? t("home.hello", { name: owner.name }) : t("home.home")}
      about={isEmpty ? t("home.theCatalogueIsEmpty") : usage.data
        ? (
          <Rich
            of="home.inTheCatalogue"
            values={{ count: usage.data.total_count, unfilled: usage.data.unfilled_count }}
            tags={{ search: <Link to="/search" /> }}
          />
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
              <Favorites />
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
