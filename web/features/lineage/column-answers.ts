import { read } from "#web/api/client.ts";
import type { LineageState } from "#web/features/lineage/address.ts";

/** The two questions whose answers have all columns of a dataset, with what is known of each side of them. */
export function readColumns(id: number, { asOf, compare }: Pick<LineageState, "asOf" | "compare">) {
  const query = { include_indirect: false, ...(asOf !== null && !compare && { as_of: asOf }) };
  const params = { path: { data_entity_id: id }, query };
  return [
    read("/api/datasets/{data_entity_id}/columns/lineage/upstream", { params }),
    read("/api/datasets/{data_entity_id}/columns/lineage/downstream", { params }),
    // What is remembered of another dataset is nothing to show of this one.
  ].map((one) => ({ ...one, placeholderData: undefined }));
}
