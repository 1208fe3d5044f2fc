import type { Schema } from "#web/api/client.ts";
import { nameOf } from "#web/components/entity-link.tsx";

type Details = Schema<"DataEntityRelationshipDetails">;

/** A field of one side. */
export interface End {
  id: number | null | undefined;
  name: string;
}

export interface Side {
  entity: Schema<"DataEntityRef">;
  name: string;
  /** Each field once, in the order in which pairs name them. */
  fields: End[];
}

export interface Erd {
  source: Side;
  target: Side;
  /** Places of fields in both sides. */
  pairs: [source: number, target: number][];
}

/** Both sides of a relationship, with what connects them. */
export function erdOf(of: Details): Erd {
  const source: Side = sideOf(of.source_data_entity);
  const target: Side = sideOf(of.target_data_entity);
  const pairs = (of.erd_relationship?.fields_pairs ?? []).map((pair): [number, number] => [
    placeOf(source, pair.source_dataset_field_id, pair.source_dataset_field_catrn),
    placeOf(target, pair.target_dataset_field_id, pair.target_dataset_field_catrn),
  ]);
  return { source, target, pairs };
}

function sideOf(entity: Schema<"DataEntityRef">): Side {
  return { entity, name: nameOf(entity), fields: [] };
}

/** Fields that no source has reported yet have only their CATRN; its last part names them. */
function placeOf(side: Side, id: number | null | undefined, catrn: string): number {
  const name = catrn.split("/").filter(Boolean).at(-1) ?? catrn;
  const at = side.fields.findIndex((one) => id == null ? one.name === name : one.id === id);
  return at >= 0 ? at : side.fields.push({ id, name }) - 1;
}
