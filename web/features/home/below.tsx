import { Domains, Links, Popular, Usage } from "#web/features/home/catalogue-lists.tsx";
import { Freshness } from "#web/features/home/freshness.tsx";
import { Health } from "#web/features/home/health.tsx";
import { Ingestion } from "#web/features/home/ingestion.tsx";

// What the home page shows below what people come for: one file to load.
export { RecentChanges } from "#web/features/home/recent-changes.tsx";

/** Next to the main column, below the favorites: one's own assets, then the catalogue. */
export function Side() {
  return (
    <>
      <Freshness />
      <Health />
      <Ingestion />
      <Usage />
      <Popular />
      <Domains />
      <Links />
    </>
  );
}
