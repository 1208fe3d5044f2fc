import type { Actor } from "#contract/actor.ts";
import { notFound } from "#kit/errors.ts";
import type { LockedField } from "#services/api/features/dataset-fields/locked-field.queries.ts";
import {
  changingField,
  type Deps,
  nothing,
} from "#services/api/features/dataset-fields/locked-field.ts";
import { planValues } from "#services/api/features/dataset-fields/enum-plan.ts";
import * as queries from "#services/api/features/dataset-fields/enum-values.queries.ts";
import type { EnumValueForm } from "#services/api/features/dataset-fields/schemas.ts";

/** The values that a field may have, also one of an older structure version; EnumValueList as JSON text. Throws 404. */
export async function listEnumValues({ db }: Deps, id: number): Promise<string> {
  const json = await queries.valueList(db, id);
  if (json === undefined) throw notFound("Dataset field", id);
  return json;
}

/**
 * Makes these the values that people gave a field; those of collectors stay, and all do when there is no list. Returns
 * all of them, EnumValueList as JSON text. Throws 404, and 400 for a field of an older structure version, for ids of
 * other fields, for names given twice, and for changes of a collector's values.
 */
export function putEnumValues(
  context: Deps,
  actor: Actor,
  id: number,
  forms: EnumValueForm[] | null,
): Promise<string> {
  return changingField(context, actor, id, nothing, async (change, field) => {
    const { tx } = change;
    const before = forms && await queries.storedValues(tx, id);
    const plan = before && planValues(before, forms);
    if (plan && plan.removed.length + plan.written.length > 0) {
      if (plan.removed.length > 0) await queries.removeValues(tx, id, plan.removed);
      if (plan.written.length > 0) await queries.insertValues(tx, id, plan.written);
      change.record({
        type: "DATASET_FIELD_VALUES_UPDATED",
        entityId: field.datasetId,
        before: stateOf(field, before),
        after: stateOf(field, await queries.storedValues(tx, id)),
      });
    }
    return (await queries.valueList(tx, id))!;
  });
}

/** The values set by people as the activity feed lists them. */
function stateOf({ id, name, type }: LockedField, values: queries.StoredEnumValue[]) {
  const ours = values.filter(({ origin }) => origin === "INTERNAL");
  return { id, name, type, enum_values: ours.map((value) => ({ id: value.id, name: value.name })) };
}
