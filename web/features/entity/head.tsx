import { Badge } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";
import { EntityIcon } from "#web/components/entity-icon.tsx";
import { useCan } from "#web/components/permissions.ts";
import { StaleBadge, StatusBadge } from "#web/components/status.tsx";
import { Actions } from "#web/features/entity/actions.tsx";
import { Breadcrumbs } from "#web/features/entity/breadcrumbs.tsx";
import { NameEdit } from "#web/features/entity/name-edit.tsx";
import { Star } from "#web/features/entity/star.tsx";
import { TrustStrip } from "#web/features/entity/trust-strip.tsx";
import type { Details } from "#web/features/entity/details.ts";
import { useVisit } from "#web/features/entity/use-visit.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

/** Where the entity is, what it is, and whether one can rely on it: low, because people come for what is below. */
export function Head({ of }: { of: Details }) {
  const can = useCan("DATA_ENTITY", of.id);
  // Whichever tab is open, the entity has been viewed.
  useVisit(of.id);
  return (
    <header className={styles.head}>
      <Breadcrumbs of={of} />
      <div className={styles.line}>
        <div className={styles.name}>
          <span className={styles.bigicon}>
            <EntityIcon of={of.entity_classes} />
          </span>
          <NameEdit key={of.id} of={of} may={can("DATA_ENTITY_INTERNAL_NAME_UPDATE")} />
          <Badge tone="brand">{words(of.type.name)}</Badge>
          <StatusBadge status={of.status} />
          <StaleBadge stale={of.is_stale} />
          {of.manually_created && <Badge tone="info">{t("entity.createdManually")}</Badge>}
        </div>
        <Star key={`s${of.id}`} id={of.id} />
        <Actions of={of} can={can} />
      </div>
      <TrustStrip of={of} />
    </header>
  );
}
