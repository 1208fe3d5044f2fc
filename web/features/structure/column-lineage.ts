import type { Schema } from "#web/api/client.ts";
import { listText } from "#web/kit/numbers.ts";
import { chainOf, type Field } from "#web/features/structure/tree.ts";
import { t } from "#web/messages/text.ts";

/** The name of a field within its dataset: those that it is nested in and its own, joined by dots. */
export function pathOf(field: Field, fields: readonly Field[]): string {
  return chainOf(fields, field.id).map(({ name }) => name).reverse().join(".");
}

/** Whether a column of this name may have lineage: ingestion takes no longer names there. */
export function mayHaveLineage(path: string): boolean {
  return path !== "" && new TextEncoder().encode(path).length <= 1_000;
}

/** A column at the other end of an edge, as it is listed with a field. */
export interface Neighbour {
  /** Of the node, and of the edge's kind. */
  key: string;
  dataset: Schema<"ColumnLineageDataset">;
  /** Null for the dataset as a whole. */
  name: string | null;
  field: number | null;
  indirect: boolean;
  /** It has a say in the dataset of the field as a whole, not in this field alone. */
  ofAll: boolean;
  /** What the establisher told: its word for the transformation, and more. */
  description: string;
}

/**
 * The columns one edge away from a field in an answer about its dataset: first those whose value it takes or
 * gives, then those that only have a say.
 */
export function neighboursOf(
  answer: Schema<"ColumnLineage">,
  field: number,
  direction: "upstream" | "downstream",
): Neighbour[] {
  const dataset = answer.root.id;
  const within = answer.columns.filter((one) => one.dataset_id === dataset);
  const own = new Set(within.filter((one) => one.field_id === field).map(({ id }) => id));
  const whole = within.find(({ name }) => name == null)?.id;
  const columns = new Map(answer.columns.map((column) => [column.id, column]));
  const datasets = new Map(answer.datasets.map((one) => [one.id, one]));
  return answer.edges.flatMap((edge): Neighbour[] => {
    const [near, far] = direction === "upstream"
      ? [edge.target_id, edge.source_id]
      : [edge.source_id, edge.target_id];
    const column = columns.get(far);
    const of = column && datasets.get(column.dataset_id);
    if (!column || !of || !(own.has(near) || near === whole)) return [];
    return [{
      key: `${far} ${near} ${edge.kind}`,
      dataset: of,
      name: column.name ?? null,
      field: column.field_id ?? null,
      indirect: edge.kind === "INDIRECT",
      ofAll: near === whole,
      description: listText(
        [
          edge.subtype,
          edge.masking && t("structure.masked"),
          edge.description,
          edge.origin === "SQL" && t("structure.fromSql"),
        ].flatMap((one) => one ? [one] : []),
      ),
    }];
  }).sort((a, b) => rank(a) - rank(b));
}

const rank = ({ indirect, ofAll }: Neighbour) => (indirect ? 2 : 0) + (ofAll ? 1 : 0);
