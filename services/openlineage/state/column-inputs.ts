import { own } from "#kit/own.ts";
import { objectsOf, textOf } from "./facets.ts";
import { type GivenDataset, type GivenEvent, maxSide, type Name } from "./model.ts";

/**
 * An event of a run with all its inputs: also those that only the facet `columnLineage` of its outputs names, which some
 * producers leave out of the list (dbt does so with seeds). Outputs of the event are not added.
 */
export function withColumnInputs(event: GivenEvent): GivenEvent {
  const inputs = event.inputs?.slice(0, maxSide) ?? [];
  const known = new Set([...inputs, ...event.outputs ?? []].map(keyOf));
  for (const source of event.outputs?.slice(0, maxSide).flatMap(sourcesOf) ?? []) {
    if (inputs.length >= maxSide) break;
    if (known.has(keyOf(source))) continue;
    known.add(keyOf(source));
    inputs.push(source);
  }
  return inputs.length === (event.inputs?.length ?? 0) ? event : { ...event, inputs };
}

const keyOf = ({ namespace, name }: Name) => JSON.stringify([namespace, name]);

/** What the columns of an output were made from, and what filtered its rows. */
function sourcesOf(output: GivenDataset): Name[] {
  const [facet] = objectsOf({ list: [own(output.facets ?? {}, "columnLineage")] }, "list");
  if (!facet || facet._deleted === true) return [];
  const [fields] = objectsOf({ list: [facet.fields] }, "list");
  const given = Object.values(fields ?? {}).flatMap((field) => {
    const [entry] = objectsOf({ list: [field] }, "list");
    return objectsOf(entry, "inputFields");
  });
  return [...given, ...objectsOf(facet, "dataset")].flatMap((source) => {
    const [namespace, name] = [textOf(source, "namespace"), textOf(source, "name")];
    return namespace === undefined || name === undefined ? [] : [{ namespace, name }];
  });
}
