import { badRequest, type ErrorDetail } from "#kit/errors.ts";
import type {
  DesiredValue,
  StoredEnumValue,
} from "#services/api/features/dataset-fields/enum-values.queries.ts";
import type { EnumValueForm } from "#services/api/features/dataset-fields/schemas.ts";

/** What becomes of the values that people gave a field. */
export interface EnumPlan {
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
export function planValues(stored: StoredEnumValue[], forms: EnumValueForm[]): EnumPlan {
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
