import { maxFields } from "../limits.ts";
import type { ReadPosition } from "../lenient.ts";
import type { SchemaField } from "./dataset.ts";

/** The first `maxFields` fields of a schema, nested ones included; a warning reports the others. */
export function trimmedFields(fields: SchemaField[], place: ReadPosition): SchemaField[] {
  const budget = { left: maxFields, over: 0 };
  const taken = within(fields, budget);
  if (budget.over > 0) {
    const message = `holds more than ${maxFields} fields; further ones were left out`;
    place.warnings.add(place.path, "too_many", message);
  }
  return taken;
}

/** The nesting is bounded: `fields` were read leniently. */
function within(fields: SchemaField[], budget: { left: number; over: number }): SchemaField[] {
  const taken: SchemaField[] = [];
  for (const field of fields) {
    if (budget.left === 0) {
      budget.over++;
      break;
    }
    budget.left--;
    taken.push(field.fields ? { ...field, fields: within(field.fields, budget) } : field);
  }
  return taken;
}
