import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { BookOpenText, Code2, Star } from "lucide-react";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Card, Columns, Page } from "#web/kit/page.tsx";
import { Bones, Empty, Shown } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { Choice } from "#web/kit/button.tsx";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import { OpenAlerts } from "#web/features/home/open-alerts.tsx";
import { reads } from "#web/features/home/reads.ts";
import { EntityList } from "#web/features/home/catalogue-lists.tsx";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import { read, type Schema } from "#web/api/client.ts";

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

/** An entity, a term or a query example. */
function AssetLink({ of }: { of: Omit<Schema<"FavoriteAsset">, "asset_kind"> }): ReactNode {
  const { data_entity, term, query_example } = of;
  if (data_entity) return <EntityLink of={data_entity} />;
  if (term) {
    return (
      <Link to="/terms/$id" params={{ id: String(term.id) }} className={styles.asset}>
        <BookOpenText aria-hidden /> <span className="truncate">{term.name}</span>
      </Link>
    );
  }
  if (!query_example) return null;
  return (
    <Link
      to="/queryexamples/$id"
      params={{ id: String(query_example.id) }}
      className={styles.asset}
    >
      <Code2 aria-hidden /> <span className="truncate">{query_example.definition}</span>
    </Link>
  );
}

/** What one opened last; left out until one has opened something. */
function Recent() {
  const items = useQuery(reads.recent).data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Card title={t("home.recentlyViewed")}>
      <ul className={styles.entities}>
        {items.map((one, at) => (
          <li key={at} className={styles.spread}>
            <AssetLink of={one} />
            <span className={styles.counts}>
              <Time at={one.last_viewed_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Favorites() {
  const result = useQuery(reads.favorites);
  return (
    <Card title={t("home.favorites")}>
      <Shown of={result} what={t("home.favorites2")}>
        {({ items }) =>
          items.length === 0
            ? (
              <span className={styles.hint}>
                <Star aria-hidden /> {t("home.starAnAssetToPin")}
              </span>
            )
            : (
              <ul className={styles.entities}>
                {items.map((one, at) => (
                  <li key={at}>
                    <AssetLink of={one} />
                  </li>
                ))}
              </ul>
            )}
      </Shown>
    </Card>
  );
}

/** Milliseconds after which what has come is shown without the rest. */
const longestMs = 1_000;

const unread = {
  predicate: ({ state }: { state: { status: string } }) => state.status === "pending",
};

/**
 * Whether everything below has been read, so that a screen of many parts is shown at once instead of moving with each answer.
 * Once it is true it stays so.
 */
function useArrived(): boolean {
  const queries = useQueryClient();
  // Who comes back has read it before; who comes first has asked for it by now (`readAhead`).
  const [arrived, setArrived] = useState(() => queries.isFetching(unread) === 0);
  const reading = useIsFetching(unread);
  // What is below has begun to read by now, and `reading` may not yet tell.
  useEffect(() => {
    if (queries.isFetching(unread) === 0) setArrived(true);
  }, [queries, reading]);
  useEffect(() => {
    const timer = setTimeout(() => setArrived(true), longestMs);
    return () => clearTimeout(timer);
  }, []);
  return arrived;
}

const views = [
  ["/api/dataentities/my", "home.mine", "home.youOwnNoAssets"],
  ["/api/dataentities/my/upstream", "home.upstream", "home.nothingUpstream"],
  ["/api/dataentities/my/downstream", "home.downstream", "home.nothingDownstream"],
] as const;
type View = (typeof views)[number][0];
const query = { page: 1, size: 8 };

/** What the signed-in person owns, and what stands before and after it. */
function MyObjects({ owner }: { owner: string | undefined }) {
  const [view, setView] = useState<View>("/api/dataentities/my");
  if (!owner) return <WithoutOwner />;
  return (
    <Card
      title={t("home.myAssets")}
      actions={
        <Choice
          of={views.map(([one, name]) => [one, t(name)] as const)}
          value={view}
          onValue={setView}
        />
      }
    >
      <List view={view} />
    </Card>
  );
}

function List({ view }: { view: View }) {
  const result = useQuery({ ...read(view, { query }), placeholderData: undefined });
  const [, , empty] = views.find(([one]) => one === view)!;
  return (
    <Shown of={result} what={t("home.entities")}>
      {(items) =>
        items.length > 0
          ? <EntityList of={items} />
          : <Empty title={t("home.noAssets")}>{t(empty)}</Empty>}
    </Shown>
  );
}

/** Why this part is empty, and what to do about it. */
function WithoutOwner() {
  return (
    <Card title={t("home.myAssets")}>
      <Empty
        title={t("home.yourAccountBelongsToNo")}
        action={
          <Link to="/management/$section" params={{ section: "associations" }}>
            {t("home.requestOne")}
          </Link>
        }
      >
        {t("home.yourAssetsAndWhatIs")}
      </Empty>
    </Card>
  );
}
