import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Ghost, SearchX } from "lucide-react";
import { ApiError } from "#web/api/errors.ts";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { classes } from "#web/kit/classes.ts";
import { count } from "#web/kit/numbers.ts";
import { Page, pageStyles, Panel, panelId, SkipLink, Tab, Tabs, useTitle } from "#web/kit/page.tsx";
import { Bones, Empty, Note, Pending } from "#web/kit/states.tsx";
import { exactTime, Time } from "#web/kit/time.tsx";
import { buttonClass } from "#web/kit/button.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { RenameOffer } from "#web/components/rename-offer.tsx";
import { Head } from "#web/features/entity/head.tsx";
import { tabsOf } from "#web/components/entity-tabs.ts";
import { type Details, useEntityId, useOpened } from "#web/features/entity/use-entity.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** The page of one entity: what it is, and a tab for each aspect. */
export function EntityFrame() {
  const id = useEntityId();
  return <Frame key={id} id={id} />;
}

function Frame({ id }: { id: number | undefined }) {
  const details = useOpened(id);
  if (details.data) return <Known of={details.data} />;
  if (id === undefined) return <Unknown id={undefined} />;
  if (details.error instanceof ApiError && details.error.status === 404) return <Missing id={id} />;
  return (
    <Page title={details.error ? t("entity.entity") : "…"}>
      <Pending of={details} what={t("entity.entity2")} bones={10} />
    </Page>
  );
}

function Known({ of }: { of: Details }) {
  useTitle(nameOf(of));
  const tab = useRouterState({ select: ({ location }) => location.pathname.split("/").at(-1) });
  const wide = tab === "lineage" || tab === "structure" || tab === "data";
  return (
    <div className={classes(pageStyles.page, wide && pageStyles.full)}>
      <SkipLink to={panelId}>{t("entity.skipToTabContent")}</SkipLink>
      <Head of={of} />
      <Notices of={of} />
      <EntityTabs of={of} />
      <Panel>
        <Outlet />
      </Panel>
    </div>
  );
}

function EntityTabs({ of }: { of: Details }) {
  const alerts = useQuery(
    read("/api/dataentities/{data_entity_id}/alerts/counts", {
      path: { data_entity_id: of.id },
      query: { status: "OPEN" },
    }),
  );
  return (
    <Tabs label={t("entity.sectionsOfTheAsset")}>
      {tabsOf(of, alerts.data).map(({ tab, name, count: many, bad }) => (
        <Tab key={tab} to={`/dataentities/$id/${tab}`} params={{ id: String(of.id) }}>
          {name}
          {many !== undefined && (bad
            ? <Badge tone="bad">{count(many)}</Badge>
            : <span className={styles.count}>{count(many)}</span>)}
        </Tab>
      ))}
    </Tabs>
  );
}

/** What to know before relying on the entity: that it is deleted, ends soon, or that its source is silent. */
function Notices({ of }: { of: Details }) {
  const { status, status_switch_time: ends } = of.status;
  return (
    <>
      {status === "DELETED" && (
        <Note tone="bad">
          {t("entity.thisAssetIsDeletedAnd")}
        </Note>
      )}
      {of.renames.map((offer) => <RenameOffer key={offer.id} of={offer} />)}
      {ends && status !== "DELETED" && (
        <Note tone="warn">
          <Rich
            of={status === "DRAFT" ? "entity.draftEnds" : "entity.deprecatedEnds"}
            values={{
              time: <Time at={ends} />,
              ends: exactTime(ends),
            }}
          />
        </Note>
      )}
      {of.is_stale && status !== "DELETED" && (
        <Note tone="warn">
          <Rich
            of="entity.lastSeenInItsSource"
            values={{ time: <Time at={of.last_ingested_at} none={t("entity.longAgo")} /> }}
          />
        </Note>
      )}
    </>
  );
}

/** An id that the catalogue has no details of: unknown, or named by others only. */
function Missing({ id }: { id: number }) {
  const lineage = useQuery({
    ...read("/api/dataentities/{data_entity_id}/lineage/upstream", {
      path: { data_entity_id: id },
      query: { lineage_depth: 1 },
    }),
    placeholderData: undefined,
  });
  if (lineage.data) return <Hollow node={lineage.data.root} />;
  if (lineage.isPending) {
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
        <Tab to="/dataentities/$id/overview" params={params}>{t("components.overview")}</Tab>
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
