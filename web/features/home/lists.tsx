import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpenText, Code2, Star } from "lucide-react";
import type { ReactNode } from "react";
import type { Schema } from "#web/api/client.ts";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

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
export function Recent() {
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

export function Favorites() {
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
