import { Link } from "@tanstack/react-router";
import { Share2 } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { buttonClass } from "#web/kit/button.tsx";
import { t } from "#web/messages/text.ts";
import { read, type Schema } from "#web/api/client.ts";

/** Leads from something that fails to what reads it. */
export function ImpactLink({ id, of }: { id: number; of: string }) {
  return (
    <Link
      to="/dataentities/$id/lineage"
      params={{ id: String(id) }}
      search={{ up: "0", down: "all", panel: "1" } as never}
      className={buttonClass({ small: true })}
      aria-label={t("components.impactOf", { name: of })}
    >
      <Share2 aria-hidden />
      {t("components.impact")}
    </Link>
  );
}

/** What a change of an entity, or of one of its columns, reaches; undefined until it is read. */
export function useImpactCounts(id: number, column?: string): Schema<"Impact"> | undefined {
  const query = column === undefined ? {} : { column };
  const { data } = useQuery({
    ...read("/api/dataentities/{data_entity_id}/impact", {
      params: { path: { data_entity_id: id }, query },
    }),
    placeholderData: undefined,
    retry: false,
  });
  return data;
}
