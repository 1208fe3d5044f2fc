import { badRequest, conflict } from "#kit/errors.ts";
import { readCell } from "./cells.ts";
import { normalised, physicalColumn } from "./names.ts";
import type { LookupTableFieldForm } from "./schemas.ts";
import type { Column } from "./structure.queries.ts";

/** The column of a form; throws 400 for a default that the column cannot hold. */
export function columnOf(form: LookupTableFieldForm, id: number, at: string): Column {
  const { name, description, field_type: type, is_unique: unique } = form;
  const nullable = form.is_nullable && type !== "SERIAL";
  const field = at === "" ? "default_value" : `${at}.default_value`;
  const cell = readCell({ name, type, unique, nullable: true }, form.default_value ?? null);
  if ("fault" in cell) throw invalid(field, cell.fault);
  if (cell.value !== null && type === "SERIAL") {
    throw invalid(field, `column "${name}" numbers itself: it takes no default`);
  }
  return {
    id,
    name,
    normalised: normalised(name),
    physical: physicalColumn(name, id),
    description,
    type,
    key: false,
    nullable,
    unique,
    default: cell.value,
  };
}

/** Throws 400 when one of the columns has the name of another one, in its normalised form; `fieldOf` names its place. */
export function checkNames(
  others: Column[],
  columns: Column[],
  fieldOf: (index: number) => string,
): void {
  const seen = new Map(others.map(({ name, normalised }) => [normalised, name]));
  for (const [i, { name, normalised }] of columns.entries()) {
    const other = seen.get(normalised);
    if (other !== undefined) {
      const message = `the table has a column "${other}", which is the same name as "${name}"`;
      const field = fieldOf(i);
      throw conflict(`Invalid column: ${field}: ${message}`, [{ field, message }]);
    }
    seen.set(normalised, name);
  }
}

/** 400 for a column. */
export function invalid(field: string, message: string) {
  return badRequest(`Invalid column: ${field}: ${message}`, [{ field, message }]);
}
