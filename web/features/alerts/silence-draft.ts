import type { Schema } from "#web/api/client.ts";
import type { AlertType } from "#web/components/alerts.tsx";
import type { FacetValue } from "#web/components/facets.tsx";

/** What a silence is to meet, and until when. */
export interface SilenceDraft {
  entity: Schema<"DataEntityRef"> | null;
  namespace: FacetValue | null;
  owner: Schema<"Owner"> | null;
  type: AlertType | "";
  until: string;
  comment: string;
}

/** What the address of the form says, so that it is filled with what keeps alerts like this one quiet. */
export function silenceOf(
  { type, data_entity }: Pick<Schema<"Alert">, "type" | "data_entity">,
): Record<string, string | undefined> {
  return { new: "1", entity: data_entity ? String(data_entity.id) : undefined, type };
}
