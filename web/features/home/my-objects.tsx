import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Card } from "#web/kit/page.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { EntityList } from "#web/features/home/entity-list.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

type View = "mine" | "upstream" | "downstream";
const views: [View, text: PlainKey, empty: PlainKey][] = [
  ["mine", "home.mine", "home.youOwnNoAssets"],
  ["upstream", "home.upstream", "home.nothingUpstream"],
  ["downstream", "home.downstream", "home.nothingDownstream"],
];
const query = { page: 1, size: 8 };

/** What the signed-in person owns, and what stands before and after it. */
export function MyObjects({ owner }: { owner: string | undefined }) {
  const [view, setView] = useState<View>("mine");
  if (!owner) return <WithoutOwner />;
  return (
    <Card
      title={t("home.myAssets")}
      actions={views.map(([one, name]) => (
        <Button
          key={one}
          small
          variant="quiet"
          aria-pressed={one === view}
          onClick={() => setView(one)}
        >
          {t(name)}
        </Button>
      ))}
    >
      <List view={view} />
    </Card>
  );
}

function List({ view }: { view: View }) {
  const mine = useQuery({
    ...read("/api/dataentities/my", { params: { query } }),
    enabled: view === "mine",
  });
  const upstream = useQuery({
    ...read("/api/dataentities/my/upstream", { params: { query } }),
    enabled: view === "upstream",
  });
  const downstream = useQuery({
    ...read("/api/dataentities/my/downstream", { params: { query } }),
    enabled: view === "downstream",
  });
  const [, , empty] = views.find(([one]) => one === view)!;
  return (
    <Shown of={{ mine, upstream, downstream }[view]} what={t("home.entities")}>
      {(items: Schema<"DataEntityRefList">) =>
        items.length > 0
          ? <EntityList of={items} />
          : <Empty title={t("home.noAssets")}>{t(empty)}</Empty>}
    </Shown>
  );
}

/** Why this part is empty, and what to do about it. */
function WithoutOwner() {
  return (
    <Card title={t("home.myAssets")}>
      <Empty
        title={t("home.yourAccountBelongsToNo")}
        action={
          <Link to="/management/$section" params={{ section: "associations" }}>
            {t("home.requestOne")}
          </Link>
        }
      >
        {t("home.yourAssetsAndWhatIs")}
      </Empty>
    </Card>
  );
}
