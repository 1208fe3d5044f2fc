import { Share2 } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { buttonClass } from "#web/kit/button.tsx";
import { TabLink } from "#web/components/entity-link.tsx";
import { t } from "#web/messages/text.ts";
import { read, type Schema } from "#web/api/client.ts";

/** Leads from something that fails to what reads it. */
export function ImpactLink({ id, of }: { id: number; of: string }) {
  return (
    <TabLink
      id={id}
      tab="lineage"
      search={{ up: "0", down: "all", panel: "1" }}
      className={buttonClass({ small: true })}
      aria-label={t("components.impactOf", { name: of })}
    >
      <Share2 aria-hidden />
      {t("components.impact")}
    </TabLink>
  );
}

/** What a change of an entity, or of one of its columns, reaches; undefined until it is read. */
export function useImpactCounts(id: number, column?: string): Schema<"Impact"> | undefined {
  const { data } = useQuery({
    ...read("/api/dataentities/{data_entity_id}/impact", {
      path: { data_entity_id: id },
      query: { column },
    }),
    placeholderData: undefined,
    retry: false,
  });
  return data;
}
