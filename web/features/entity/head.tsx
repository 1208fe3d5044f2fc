import { Link } from "@tanstack/react-router";
import { Database, Eye, RefreshCw } from "lucide-react";
import { Badge } from "#web/kit/badge.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { plural, words } from "#web/kit/numbers.ts";
import { Time } from "#web/kit/time.tsx";
import { EntityIcon } from "#web/components/entity-icon.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { useCan } from "#web/components/permissions.ts";
import { StaleBadge, StatusBadge } from "#web/components/status.tsx";
import { Actions } from "#web/features/entity/actions.tsx";
import { NameEdit } from "#web/features/entity/name-edit.tsx";
import { Star } from "#web/features/entity/star.tsx";
import type { Details } from "#web/features/entity/details.ts";
import { useVisit } from "#web/features/entity/use-visit.ts";
import styles from "#web/features/entity/entity.module.css";

/** What the entity is, by name, kind and state, and what can be done with it. */
export function Head({ of }: { of: Details }) {
  const can = useCan("DATA_ENTITY", of.id);
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <div className={styles.name}>
          <span className={styles.bigicon}>
            <EntityIcon of={of.entity_classes} />
          </span>
          <NameEdit key={of.id} of={of} may={can("DATA_ENTITY_INTERNAL_NAME_UPDATE")} />
        </div>
        <Star key={`s${of.id}`} id={of.id} />
        <Actions of={of} can={can} />
      </div>
      <div className={styles.line}>
        <Badge tone="brand">{words(of.type.name)}</Badge>
        {(of.entity_classes ?? []).map(({ id, name }) => <Badge key={id}>{words(name)}</Badge>)}
        <StatusBadge status={of.status} />
        <StaleBadge stale={of.is_stale} />
        {of.manually_created && <Badge tone="info">Made by hand</Badge>}
      </div>
      <Under of={of} />
    </header>
  );
}

/** Where it comes from: names of its source, when it was told of last, how often people look at it. */
function Under({ of }: { of: Details }) {
  const visited = useVisit(of.id);
  const { data_source: source } = of;
  return (
    <div className={styles.under}>
      <span>
        <code className="truncate" title={of.catrn}>{of.catrn}</code>
        <CopyButton text={of.catrn} what="CATRN" />
      </span>
      {of.external_name && of.external_name !== nameOf(of) && (
        <span>
          In its source:{" "}
          <span className="truncate" title={of.external_name}>{of.external_name}</span>
          <CopyButton text={of.external_name} what="name in its source" />
        </span>
      )}
      {source && (
        <span>
          <Database aria-hidden />
          <Link
            to="/directory"
            search={{ source: String(source.id) } as never}
            className="truncate"
            title={source.catrn}
          >
            {source.name}
          </Link>
        </span>
      )}
      {of.last_ingested_at && (
        <span>
          <RefreshCw aria-hidden /> Ingested <Time at={of.last_ingested_at} />
        </span>
      )}
      <span>
        <Eye aria-hidden /> {plural(of.view_count, "view")}
        {visited && (
          <>
            , your last <Time at={visited} />
          </>
        )}
      </span>
    </div>
  );
}
