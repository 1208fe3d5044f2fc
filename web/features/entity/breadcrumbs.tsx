import { Link } from "@tanstack/react-router";
import { Database } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "#web/kit/copy.tsx";
import { crumbsOf, groupAt } from "#web/components/crumbs.ts";
import type { Details } from "#web/features/entity/details.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

/** Where the entity is: its data source, what is within, and what its source calls it. */
export function Breadcrumbs({ of }: { of: Details }) {
  const { data_source: source } = of;
  return (
    <nav className={styles.crumbs} aria-label={t("entity.location")}>
      <ol>
        {source && (
          <li>
            <Database aria-hidden />
            <Link
              to="/directory"
              search={{ source: String(source.id) } as never}
              className="truncate"
              title={source.catrn}
            >
              {source.name}
            </Link>
          </li>
        )}
        {crumbsOf(of.catrn).map((crumb) => <li key={crumb.catrn}>{placeOf(of, crumb)}</li>)}
        {of.external_name && (
          <li>
            <span className="truncate" title={of.catrn}>{of.external_name}</span>
          </li>
        )}
      </ol>
      <CopyButton text={of.catrn} what={t("kit.catrn")} />
    </nav>
  );
}

function placeOf(of: Details, crumb: ReturnType<typeof crumbsOf>[number]): ReactNode {
  const group = groupAt(of, crumb);
  if (!group) return <span className="truncate" title={crumb.catrn}>{crumb.text}</span>;
  return (
    <Link
      to="/dataentities/$id/overview"
      params={{ id: String(group.id) }}
      className="truncate"
      title={crumb.catrn}
    >
      {crumb.text}
    </Link>
  );
}
