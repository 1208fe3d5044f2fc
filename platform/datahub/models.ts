import { objectsOf, type RawObject, textOf, textsOf } from "./values.ts";

/** What the urns of models of dbt begin with. */
export const modelPrefix = "urn:li:dataset:(urn:li:dataPlatform:dbt,";

/** Aspects by which a dataset and the model that builds it name each other. */
export const modelAspects: readonly string[] = ["upstreamLineage", "siblings"];

/** Whether a urn is that of a model, seed, snapshot or source of dbt, which a table of a warehouse may stand for. */
export function isModel(urn: string): boolean {
  return urn.startsWith(modelPrefix);
}

/**
 * What aspects of a dataset say about models: that it is a copy of one, as the source of dbt reports the table that a
 * model builds; and its siblings.
 */
export function modelsOf(
  aspects: { get(name: string): RawObject | undefined } | undefined,
): { copied: string | undefined; siblings: string[] } {
  const copies = objectsOf(aspects?.get("upstreamLineage")?.upstreams).flatMap(
    ({ dataset, type }) => {
      const urn = textOf(dataset);
      return urn !== undefined && isModel(urn) && type === "COPY" ? [urn] : [];
    },
  );
  const [copied, ...others] = copies;
  return {
    copied: others.length === 0 ? copied : undefined,
    siblings: textsOf(aspects?.get("siblings")?.siblings),
  };
}
