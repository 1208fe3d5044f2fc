import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { nameOf } from "#web/components/entity-link.tsx";

/** A column by the names of its dataset and its own, leading to the field; without a name the dataset as a whole. */
export function ColumnLink(
  { dataset, name, field }: {
    dataset: Schema<"ColumnLineageDataset">;
    name: string | null;
    /** Of the newest structure; null where no structure knows the column. */
    field: number | null;
  },
) {
  return (
    <Link
      to="/dataentities/$id/structure"
      params={{ id: String(dataset.id) }}
      search={(field === null ? {} : { field: String(field) }) as never}
      className="truncate mono"
      title={name === null ? dataset.catrn : `${dataset.catrn} ${name}`}
    >
      {name === null ? nameOf(dataset) : `${nameOf(dataset)}.${name}`}
    </Link>
  );
}
