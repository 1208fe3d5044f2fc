import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Columns, Page } from "#web/kit/page.tsx";
import { Bones } from "#web/kit/states.tsx";
import { count, plural } from "#web/kit/numbers.ts";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { useArrived } from "#web/features/home/arrived.ts";
import { OpenAlerts } from "#web/features/home/open-alerts.tsx";
import { MyObjects } from "#web/features/home/my-objects.tsx";
import { Domains, Favourites, Links, Popular, Recent, Usage } from "#web/features/home/lists.tsx";
import { reads } from "#web/features/home/reads.ts";

/** What broke first, then what is one's own, then the catalogue. */
export function HomeScreen() {
  const identity = useIdentity().data;
  const info = useAppInfo().data;
  const usage = useQuery(reads.usage);
  const owner = identity?.owner;
  const arrived = useArrived();
  return (
    <Page
      title={owner ? `Hello ${owner.name}` : "Home"}
      about={usage.data
        ? (
          <>
            {plural(usage.data.total_count, "entity", "entities")} in the catalogue
            {usage.data.unfilled_count > 0 && (
              <>, {count(usage.data.unfilled_count)} of them not yet described by people</>
            )}. <Link to="/search">Search all of it</Link>
          </>
        )
        // The line is there from the first, so that nothing moves.
        : usage.isPending && "The catalogue"}
    >
      {!arrived && <Columns main={<Bones lines={8} />} side={<Bones lines={8} />} />}
      <div hidden={!arrived}>
        <Columns
          main={
            <>
              <OpenAlerts mine={Boolean(owner)} />
              {info?.authType !== "DISABLED" && <MyObjects owner={owner?.name} />}
              <Recent />
            </>
          }
          side={
            <>
              <Favourites />
              <Usage of={usage} />
              <Domains />
              <Popular />
              <Links />
            </>
          }
        />
      </div>
    </Page>
  );
}
