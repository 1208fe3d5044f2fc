import { own } from "#kit/own.ts";
import { objectOf, objectsOf } from "./facets.ts";
import { type InputDataset, type InputEvent, maxSide, type Name } from "./model.ts";
import { nameKey, namesOf } from "./names.ts";

/**
 * An event of a run with all its inputs: also those that only the facet `columnLineage` of its outputs names, which some
 * producers leave out of the list (dbt does so with seeds). Outputs of the event are not added.
 */
export function withColumnInputs(event: InputEvent): InputEvent {
  const inputs = event.inputs?.slice(0, maxSide) ?? [];
  const known = new Set([...inputs, ...event.outputs ?? []].map(nameKey));
  for (const source of event.outputs?.slice(0, maxSide).flatMap(sourcesOf) ?? []) {
    if (inputs.length >= maxSide) break;
    if (known.has(nameKey(source))) continue;
    known.add(nameKey(source));
    inputs.push(source);
  }
  return inputs.length === (event.inputs?.length ?? 0) ? event : { ...event, inputs };
}

/** What the columns of an output were made from, and what filtered its rows. */
function sourcesOf(output: InputDataset): Name[] {
  const facet = objectOf(own(output.facets ?? {}, "columnLineage"));
  if (!facet || facet._deleted === true) return [];
  const fields = objectOf(facet.fields);
  const given = Object.values(fields ?? {}).flatMap((field) => {
    const entry = objectOf(field);
    return objectsOf(entry, "inputFields");
  });
  return namesOf([...given, ...objectsOf(facet, "dataset")]);
}
