import { Link } from "@tanstack/react-router";
import { Share2 } from "lucide-react";
import { buttonClass } from "#web/kit/button.tsx";
import { t } from "#web/messages/text.ts";

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
