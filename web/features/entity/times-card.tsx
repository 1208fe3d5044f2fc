import { CopyButton } from "#web/kit/copy.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card, Facts } from "#web/kit/page.tsx";
import { Time } from "#web/kit/time.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { useVisit } from "#web/features/entity/use-visit.ts";
import styles from "#web/features/entity/entity.module.css";
import type { Details } from "#web/features/entity/details.ts";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** When it was created, changed and reported, and by which source. */
export function TimesCard({ of }: { of: Details }) {
  const source = of.data_source;
  return (
    <Card title={t("entity.about")}>
      <Facts
        of={[
          source && [t("entity.source"), <span key="s" className="foreign">{source.name}</span>],
          source?.namespace &&
          [t("kit.namespace"), <span key="n" className="foreign">{source.namespace.name}</span>],
          !!of.external_name && of.external_name !== nameOf(of) &&
          [t("entity.technicalName2"), <TechnicalName key="t" name={of.external_name} />],
          !!of.source_created_at &&
          [t("entity.created"), <Time key="c" at={of.source_created_at} />],
          !!of.source_updated_at &&
          [t("entity.changed"), <Time key="u" at={of.source_updated_at} />],
          !!of.last_ingested_at &&
          [t("entity.ingested"), <Time key="i" at={of.last_ingested_at} />],
          [t("entity.views"), <Views key="w" of={of} />],
          (of.version_list_total ?? 0) > 0 && [t("entity.versions"), of.version_list_total],
          [t("entity.id"), String(of.id)],
        ]}
      />
    </Card>
  );
}

/** What its source calls it, where people here call it something else. */
function TechnicalName({ name }: { name: string }) {
  return (
    <span className={styles.line}>
      <span className="foreign">{name}</span>
      <CopyButton text={name} what={t("entity.technicalName")} />
    </span>
  );
}

/** How often people look at it, and when the caller did before. */
function Views({ of }: { of: Details }) {
  const visited = useVisit(of.id);
  const views = count(of.view_count);
  return (
    <span>
      {visited
        ? <Rich of="entity.yourLast" values={{ views, time: <Time at={visited} /> }} />
        : views}
    </span>
  );
}
