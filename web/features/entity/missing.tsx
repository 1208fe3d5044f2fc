import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Ghost, SearchX } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { buttonClass } from "#web/kit/button.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { Page, Tab, Tabs } from "#web/kit/page.tsx";
import { Bones, Empty } from "#web/kit/states.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { t } from "#web/messages/text.ts";

/** An id that the catalogue has no details of: unknown, or named by others only. */
export function Missing({ id }: { id: number | undefined }) {
  const lineage = useQuery({
    ...read("/api/dataentities/{data_entity_id}/lineage/upstream", {
      params: { path: { data_entity_id: id ?? 0 }, query: { lineage_depth: 1 } },
    }),
    enabled: id !== undefined,
    placeholderData: undefined,
  });
  if (lineage.data) return <Hollow node={lineage.data.root} />;
  if (id !== undefined && lineage.isPending) {
    return (
      <Page title="…">
        <Bones lines={6} />
      </Page>
    );
  }
  return <Unknown id={id} />;
}

function Unknown({ id }: { id: number | undefined }) {
  return (
    <Page title={t("entity.assetNotFound")}>
      <Empty
        title={id === undefined
          ? t("entity.invalidAssetAddress")
          : t("entity.theCatalogueHasNoEntity", { id })}
        icon={<SearchX aria-hidden />}
        action={
          <Link to="/search" className={buttonClass()}>{t("entity.searchTheCatalogue")}</Link>
        }
      >
        {t("entity.itNeverExistedOrIt")}
      </Empty>
    </Page>
  );
}

/** Others name it, but nothing was ingested of it: all that is known is its CATRN and who names it. */
function Hollow({ node }: { node: Schema<"DataEntityLineageNode"> }) {
  const tab = useRouterState({ select: ({ location }) => location.pathname.split("/").at(-1) });
  const params = { id: String(node.id) };
  return (
    <Page
      title={nameOf(node)}
      about={
        <>
          <Badge icon={<Ghost aria-hidden />}>{t("entity.nothingIngested")}</Badge>{" "}
          <code className="foreign">{node.catrn}</code>{" "}
          <CopyButton text={node.catrn} what={t("kit.catrn")} />
        </>
      }
      full={tab === "lineage"}
    >
      <Tabs label={t("entity.sectionsOfTheAsset")}>
        <Tab to="/dataentities/$id/overview" params={params}>{t("entity.overview")}</Tab>
        <Tab to="/dataentities/$id/lineage" params={params}>{t("kit.lineage")}</Tab>
      </Tabs>
      {tab === "lineage" ? <Outlet /> : (
        <Empty
          title={t("entity.notIngestedOnlyReferencedBy")}
          icon={<Ghost aria-hidden />}
          action={
            <Link to="/dataentities/$id/lineage" params={params} className={buttonClass()}>
              {t("entity.showReferences")}
            </Link>
          }
        >
          {t("entity.aJobATestOr")}
        </Empty>
      )}
    </Page>
  );
}
