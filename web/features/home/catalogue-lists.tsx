import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { count, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { EntityIcon, EntityLink } from "#web/components/entity-link.tsx";
import { reads } from "#web/features/home/reads.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";
import type { Schema } from "#web/api/client.ts";

/** How much of what there is; each leads to a search for it. */
export function Usage() {
  const classes = useQuery(reads.usage).data?.data_entity_classes_info ?? [];
  const used = classes.filter(({ total_count }) => total_count > 0);
  if (used.length === 0) return null;
  return (
    <Card title={t("home.assetsByType")}>
      <ul className={styles.entities}>
        {used.map(({ entity_class, total_count }) => (
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
    </Card>
  );
}

/** What people look at most; left out while nobody has looked at anything. */
export function Popular() {
  const { data } = useQuery(reads.popular);
  if (!data?.length) return null;
  return (
    <Card title={t("home.popular")}>
      <EntityList of={data} />
    </Card>
  );
}

/** Groups that stand for a part of the organisation; left out where there are none. */
export function Domains() {
  const { data } = useQuery(reads.domains);
  if (!data?.items.length) return null;
  return (
    <Card title={t("home.domains")}>
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
    <Card title={t("home.elsewhere")}>
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

/** Entities below each other. */
export function EntityList({ of }: { of: Schema<"DataEntityRef">[] }) {
  return (
    <ul className={styles.entities}>
      {of.map((one) => (
        <li key={one.id}>
          <EntityLink of={one} />
        </li>
      ))}
    </ul>
  );
}
