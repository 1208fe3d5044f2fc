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
    <Page title="No such entity">
      <Empty
        title={id === undefined
          ? "This address names no entity"
          : `The catalogue has no entity ${id}`}
        icon={<SearchX aria-hidden />}
        action={<Link to="/search" className={buttonClass()}>Search the catalogue</Link>}
      >
        It was never there, or it was deleted so long ago that it was purged. What is ingested again
        after a purge has a new id: look for it by its name.
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
          <Badge icon={<Ghost aria-hidden />}>Nothing ingested</Badge>{" "}
          <code className="foreign">{node.catrn}</code>{" "}
          <CopyButton text={node.catrn} what="CATRN" />
        </>
      }
      full={tab === "lineage"}
    >
      <Tabs label="Aspects of the entity">
        <Tab to="/dataentities/$id/overview" params={params}>Overview</Tab>
        <Tab to="/dataentities/$id/lineage" params={params}>Lineage</Tab>
      </Tabs>
      {tab === "lineage" ? <Outlet /> : (
        <Empty
          title="Nothing was ingested of it: only others name it"
          icon={<Ghost aria-hidden />}
          action={
            <Link to="/dataentities/$id/lineage" params={params} className={buttonClass()}>
              See who names it
            </Link>
          }
        >
          A job, a test or a group refers to this CATRN, but no collector has sent the entity
          itself. It fills up once one does. If that is never, the name in the source may be
          misspelt.
        </Empty>
      )}
    </Page>
  );
}
