import type { Schema } from "#web/api/client.ts";
import type { AlertType } from "#web/parts/alerts.tsx";
import type { FacetValue } from "#web/parts/facets.ts";

/** What a silence is to meet, and until when. */
export interface SilenceDraft {
  entity: Schema<"DataEntityRef"> | null;
  namespace: FacetValue | null;
  owner: Schema<"Owner"> | null;
  type: AlertType | "";
  until: string;
  comment: string;
}
