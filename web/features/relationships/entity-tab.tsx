import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Share2 } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { TabLink } from "#web/components/entity-link.tsx";
import { KindField, kindOf, Relationship } from "#web/features/relationships/relationship.tsx";
import styles from "#web/features/relationships/relationships.module.css";
import { t } from "#web/messages/text.ts";

/** Relationships with the dataset at either end. */
export function RelationshipsTab() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const [params] = useParamsOfView();
  const type = kindOf(params);
  const list = useQuery(
    read("/api/datasets/{data_entity_id}/relationships", {
      path: { data_entity_id: Number(id) },
      query: { type },
    }),
  );
  return (
    <div className={styles.list}>
      <Toolbar>
        <KindField />
        <span className="soft" role="status">
          {list.data && t("relationships.relationships2", { total: list.data.page_info.total })}
        </span>
      </Toolbar>
      <Shown of={list} what={t("relationships.listOfRelationships")} bones={8}>
        {({ items }) => <All of={items} />}
      </Shown>
    </div>
  );
}

/** They come all at once; what is drawn grows as it is requested. */
function All({ of }: { of: Schema<"DataEntityRelationshipDetails">[] }) {
  const [max, setMax] = useState(25);
  if (of.length === 0) {
    return (
      <Card>
        <Empty title={t("relationships.noRelationships")} icon={<Share2 aria-hidden />}>
          {t("relationships.theSourceReportedNoForeign")}
        </Empty>
      </Card>
    );
  }
  const shown = of.slice(0, max);
  return (
    <>
      {shown.map((one) => (
        <Card
          key={one.id}
          title={one.name}
          actions={<TabLink id={one.id}>{t("relationships.open")}</TabLink>}
        >
          <Relationship of={one} />
        </Card>
      ))}
      <More
        shown={shown.length}
        total={of.length}
        hasNext={shown.length < of.length}
        onMore={() => setMax(max + 25)}
      />
    </>
  );
}
