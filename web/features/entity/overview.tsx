import { Columns } from "#web/kit/page.tsx";
import { useCan } from "#web/components/permissions.ts";
import { DescriptionCard } from "#web/features/entity/description-card.tsx";
import { ClassFacts } from "#web/features/entity/class-facts.tsx";
import { FilesCard } from "#web/features/entity/files-card.tsx";
import { GroupsCard } from "#web/features/entity/groups-card.tsx";
import { LinksCard } from "#web/features/entity/links-card.tsx";
import { MetadataCard } from "#web/features/entity/metadata-card.tsx";
import { MetricsCard } from "#web/features/entity/metrics-card.tsx";
import { OwnersCard } from "#web/features/entity/owners-card.tsx";
import { TagsCard } from "#web/features/entity/tags-card.tsx";
import { TermsCard } from "#web/features/entity/terms-card.tsx";
import { Tiles } from "#web/features/entity/tiles.tsx";
import { TimesCard } from "#web/features/entity/times-card.tsx";
import { useDetails, useEntityId } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";

/** What the entity is, whose it is, and what people say of it. */
export function OverviewTab() {
  const id = useEntityId();
  const of = useDetails(id).data;
  const can = useCan("DATA_ENTITY", id);
  // The frame shows what stands for an entity that could not be read.
  if (!of) return null;
  const card = { of, can };
  return (
    <div className={styles.stack} key={of.id}>
      <Tiles of={of} />
      <Columns
        main={
          <>
            <DescriptionCard {...card} />
            <ClassFacts of={of} />
            <MetadataCard {...card} />
            <FilesCard id={of.id} may={can("DATA_ENTITY_ATTACHMENT_MANAGE")} />
            <LinksCard id={of.id} may={can("DATA_ENTITY_ATTACHMENT_MANAGE")} />
            <MetricsCard id={of.id} />
          </>
        }
        side={
          <>
            <OwnersCard {...card} />
            <TermsCard {...card} />
            <TagsCard {...card} />
            <GroupsCard {...card} />
            <TimesCard of={of} />
          </>
        }
      />
    </div>
  );
}
