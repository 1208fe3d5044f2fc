import type { Actor } from "#contract/actor.ts";
import { badRequest, type ErrorDetail, maxFields } from "#kit/errors.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { columnsOf, type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { foundJson } from "#services/api/list-json.ts";
import {
  changingField,
  type Deps,
  type LockedField,
  nothing,
} from "#services/api/features/dataset-fields/locked-field.ts";
import type { EnumValueForm } from "#services/api/features/dataset-fields/schemas.ts";

/** The values that a field may have, also one of an older structure version; EnumValueList as JSON text. Throws 404. */
export async function listEnumValues({ db }: Deps, id: number): Promise<string> {
  return foundJson(await db.query(list, [id]), "Dataset field", id);
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
    const before = forms && await storedValues(tx, id);
    const plan = before && planValues(before, forms);
    if (plan && plan.removed.length + plan.written.length > 0) {
      if (plan.removed.length > 0) await tx.query(remove, [id, plan.removed]);
      if (plan.written.length > 0) await insertValues(tx, id, plan.written);
      change.record({
        type: "DATASET_FIELD_VALUES_UPDATED",
        entityId: field.datasetId,
        before: stateOf(field, before),
        after: stateOf(field, await storedValues(tx, id)),
      });
    }
    return (await tx.query(list, [id]))[0]!.json;
  });
}

/** The values set by people as the activity feed lists them. */
function stateOf({ id, name, type }: LockedField, values: StoredEnumValue[]) {
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
  const theirs = new Set(stored.filter(({ origin }) => origin === "EXTERNAL").map(({ id }) => id));
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
  throw badRequest(`Such values cannot be set (${details[0]!.field})`, details.slice(0, maxFields));
}

/** A value that a field may have. */
interface StoredEnumValue {
  id: number;
  name: string;
  description: string | null;
  origin: "INTERNAL" | "EXTERNAL";
}

const storedValuesStatement = statement<StoredEnumValue>("enum-value-held")`
  SELECT id, name, description, origin FROM enum_value WHERE field_id = $1 ORDER BY id`;

function storedValues(tx: Transaction, field: number): Promise<StoredEnumValue[]> {
  return tx.query(storedValuesStatement, [field]);
}

const remove = statement("enum-value-remove")`
  DELETE FROM enum_value WHERE field_id = $1 AND origin = 'INTERNAL' AND id = ANY($2::bigint[])`;

const insert = statement("enum-value-insert")`
  INSERT INTO enum_value (id, field_id, name, description, origin) OVERRIDING SYSTEM VALUE
  SELECT coalesce(w.id, nextval(pg_get_serial_sequence('enum_value', 'id'))), $1, w.name,
         w.description, 'INTERNAL'
    FROM (SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[])
            WITH ORDINALITY AS w (id, name, description, place) ORDER BY place) w`;

/** A value to write; a new one has no id yet. */
interface DesiredValue {
  id: number | null;
  name: string;
  description: string | null;
}

/** Gives a field values by hand, in this order; those with an id get it back. */
async function insertValues(tx: Transaction, field: number, wanted: DesiredValue[]): Promise<void> {
  await tx.query(insert, [field, ...columnsOf(wanted, "id", "name", "description")]);
}

/** EnumValueList of a field. */
const list = statement<JsonRow>("enum-value-list")`
  SELECT json_build_object(
    'external', coalesce(bool_or(v.origin = 'EXTERNAL'), false),
    'items', coalesce(json_agg(json_build_object('id', v.id, 'name', v.name,
        'description', v.description, 'modifiable', v.origin = 'INTERNAL') ORDER BY v.id)
      FILTER (WHERE v.id IS NOT NULL), '[]'))::text AS json
    FROM dataset_field f JOIN data_entity e ON e.id = f.dataset_id AND NOT e.hollow
    LEFT JOIN enum_value v ON v.field_id = f.id
   WHERE f.id = $1 GROUP BY f.id`;
