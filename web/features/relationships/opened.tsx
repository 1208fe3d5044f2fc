import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { read } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Card } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { Relationship } from "#web/features/relationships/relationship.tsx";
import { t } from "#web/messages/text.ts";

function useRelationship(kind: "erd" | "graph", relationship_id: number) {
  const path = { params: { path: { relationship_id } } };
  const erd = useQuery({
    ...read("/api/relationships/erd/{relationship_id}", path),
    enabled: kind === "erd",
  });
  const graph = useQuery({
    ...read("/api/relationships/graph/{relationship_id}", path),
    enabled: kind === "graph",
  });
  return kind === "erd" ? erd : graph;
}

/** One relationship next to the list. */
export function Opened({ kind, id }: { kind: "erd" | "graph"; id: number }) {
  const [, change] = useParamsOfView();
  const relationship = useRelationship(kind, id);
  return (
    <Card
      title={relationship.data?.name ?? t("relationships.relationship")}
      actions={
        <>
          <Link to="/dataentities/$id/overview" params={{ id: String(id) }}>
            {t("relationships.open")}
          </Link>
          <IconButton small label={t("kit.close")} onClick={() => change({ open: undefined })}>
            <X />
          </IconButton>
        </>
      }
    >
      <Shown of={relationship} what={t("relationships.relationship2")} bones={8}>
        {(data) => <Relationship of={data} />}
      </Shown>
    </Card>
  );
}
