import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpenText, Code2, ExternalLink, Star } from "lucide-react";
import type { ReactNode } from "react";
import type { Schema } from "#web/api/client.ts";
import { count, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { EntityIcon } from "#web/components/entity-icon.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { EntityList } from "#web/features/home/entity-list.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";

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

export function Recent() {
  const result = useQuery(reads.recent);
  return (
    <Card title="Recently viewed">
      <Shown of={result} what="recently viewed">
        {({ items }) =>
          items.length === 0
            ? <Empty title="Nothing yet">Assets you open appear here.</Empty>
            : (
              <ul className={styles.entities}>
                {items.map((one, at) => (
                  <li key={at} className={styles.spread}>
                    <AssetLink of={one} />
                    <span className="soft">
                      <Time at={one.last_viewed_at} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
      </Shown>
    </Card>
  );
}

export function Favourites() {
  const result = useQuery(reads.favourites);
  return (
    <Card title="Favourites">
      <Shown of={result} what="favourites">
        {({ items }) =>
          items.length === 0
            ? (
              <Empty title="None yet" icon={<Star aria-hidden />}>
                Star an asset to pin it here.
              </Empty>
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

/** How much of what there is; each leads to a search for it. */
export function Usage({ of }: { of: UseQueryResult<Schema<"DataEntityUsageInfo">> }) {
  return (
    <Card title="Assets by type">
      <Shown of={of} what="counts">
        {({ data_entity_classes_info: classes }) => (
          <ul className={styles.entities}>
            {classes.filter(({ total_count }) => total_count > 0).map((
              { entity_class, total_count },
            ) => (
              <li key={entity_class.id} className={styles.spread}>
                <Link
                  to="/search"
                  search={{ entity_classes: String(entity_class.id) } as never}
                  className={styles.asset}
                >
                  <EntityIcon of={[entity_class]} /> {words(entity_class.name)}
                </Link>
                <span className="soft">{count(total_count)}</span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Card>
  );
}

export function Popular() {
  const result = useQuery(reads.popular);
  if (result.data?.length === 0) return null;
  return (
    <Card title="Popular">
      <Shown of={result} what="popular entities">{(items) => <EntityList of={items} />}</Shown>
    </Card>
  );
}

/** Groups that stand for a part of the organisation; left out where there are none. */
export function Domains() {
  const { data } = useQuery(reads.domains);
  if (!data?.items.length) return null;
  return (
    <Card title="Domains">
      <ul className={styles.entities}>
        {data.items.map(({ domain, children_count }) => (
          <li key={domain.id} className={styles.spread}>
            <EntityLink of={domain} />
            <span className="soft">{count(children_count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Places outside that the operator names. */
export function Links() {
  const { data } = useQuery(reads.links);
  const links = (data?.items ?? []).filter(({ url }) => /^https?:/i.test(url));
  if (links.length === 0) return null;
  return (
    <Card title="Elsewhere">
      <ul className={styles.entities}>
        {links.map(({ title, url }) => (
          <li key={url + title}>
            <a href={url} target="_blank" rel="noopener noreferrer" className={styles.asset}>
              <ExternalLink aria-hidden /> <span className="truncate">{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
