import type { Actor } from "#contract/actor.ts";
import { badRequest, type ErrorDetail, notFound } from "#kit/errors.ts";
import type { LockedField } from "#services/api/features/dataset-fields/locked-field.queries.ts";
import {
  changingField,
  type Deps,
  nothing,
} from "#services/api/features/dataset-fields/locked-field.ts";
import * as queries from "#services/api/features/dataset-fields/enum-values.queries.ts";
import type { EnumValueForm } from "#services/api/features/dataset-fields/schemas.ts";
import type {
  DesiredValue,
  StoredEnumValue,
} from "#services/api/features/dataset-fields/enum-values.queries.ts";

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

/** What becomes of the values that people gave a field. */
interface EnumPlan {
  /** Ids of values that are removed, or rewritten because they change. */
  removed: number[];
  /** Values to write, those that were there with their ids. */
  written: DesiredValue[];
}

/**
 * What makes these forms the values that people gave a field. A form without an id means the value of its name, without
 * a description that value's own. One that repeats a value of a collector means nothing. Throws 400 naming each form
 * that has an unknown id, a name or an id that is given twice, or would change a value of a collector.
 */
function planValues(stored: StoredEnumValue[], forms: EnumValueForm[]): EnumPlan {
  const given = withIds(stored, forms);
  refuse(faultsOf(stored, given));
  const ours = new Map(
    stored.filter(({ origin }) => origin === "INTERNAL").map((value) => [value.id, value]),
  );
  const theirs = new Set(
    stored.filter(({ origin }) => origin === "EXTERNAL").map(({ id }) => id),
  );
  const wanted = given.filter(({ id }) => id === null || !theirs.has(id)).map((form) => {
    const was = form.id === null ? undefined : ours.get(form.id);
    const { description = was?.description ?? null } = form;
    return { id: form.id, name: form.name, description };
  });
  const unchanged = new Set(wanted.filter((value) => same(ours.get(value.id ?? 0), value)));
  const retained = new Set([...unchanged].map(({ id }) => id));
  return {
    removed: [...ours.keys()].filter((id) => !retained.has(id)),
    written: wanted.filter((value) => !unchanged.has(value)),
  };
}

interface EnumValueInput extends EnumValueForm {
  id: number | null;
}

/** Gives forms without an id that of the value of the same name, unless another form has it. */
function withIds(stored: StoredEnumValue[], forms: EnumValueForm[]): EnumValueInput[] {
  const named = new Set(forms.flatMap(({ id }) => id ?? []));
  const byName = new Map(
    stored.filter(({ id, origin }) => origin === "INTERNAL" && !named.has(id))
      .map(({ id, name }) => [name, id]),
  );
  return forms.map((form) => ({ ...form, id: form.id ?? byName.get(form.name) ?? null }));
}

function same(was: StoredEnumValue | undefined, now: DesiredValue): boolean {
  return was !== undefined && was.name === now.name && was.description === now.description;
}

function faultsOf(stored: StoredEnumValue[], given: EnumValueInput[]): ErrorDetail[] {
  const byId = new Map(stored.map((value) => [value.id, value]));
  const theirs = new Map(
    stored.filter(({ origin }) => origin === "EXTERNAL").map((value) => [value.name.trim(), value]),
  );
  const ids = new Set<number>();
  const names = new Set<string>();
  return given.flatMap((form, at) => {
    const fault = faultOf(form, byId, theirs) ??
      (form.id !== null && ids.has(form.id) ? idFault("must not be given twice") : undefined) ??
      (names.has(form.name) ? nameFault("must not be given twice") : undefined);
    if (form.id !== null) ids.add(form.id);
    names.add(form.name);
    return fault ? [{ ...fault, field: `items[${at}].${fault.field}` }] : [];
  });
}

const idFault = (message: string): ErrorDetail => ({ field: "id", message });
const nameFault = (message: string): ErrorDetail => ({ field: "name", message });

function faultOf(
  form: EnumValueInput,
  byId: Map<number, StoredEnumValue>,
  theirs: Map<string, StoredEnumValue>,
): ErrorDetail | undefined {
  const was = form.id === null ? undefined : byId.get(form.id);
  if (form.id !== null && !was) return idFault("must be the id of a value of this field");
  if (was?.origin === "EXTERNAL") {
    const text = was.description?.trim() || null;
    const { description = text } = form;
    return was.name.trim() === form.name && text === description
      ? undefined
      : idFault("must not be a value that a collector set, unless unchanged");
  }
  return theirs.has(form.name) ? nameFault("must not be a value that a collector set") : undefined;
}

function refuse(details: ErrorDetail[]): void {
  if (details.length === 0) return;
  throw badRequest(`Such values cannot be set (${details[0]!.field})`, details.slice(0, 50));
}
