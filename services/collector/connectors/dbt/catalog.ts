import { z } from "zod";
import type { Artifacts } from "./artifacts.ts";

const Relation = z.object({
  metadata: z.object({ type: z.string().nullish(), comment: z.string().nullish() }),
  columns: z.record(
    z.string(),
    z.object({ name: z.string(), type: z.string(), index: z.number().catch(0) }),
  ),
});

/** A column as the warehouse has it. */
export interface CatalogColumn {
  name: string;
  type: string;
}

/** What `catalog.json` knows of relations, by the id of their node. Columns stay text until they are needed. */
export class Catalog {
  readonly #relations = new Map<string, { isView: boolean; columns: string }>();

  /** Whether a node is a view; undefined when the catalog does not know it. */
  isView(id: string): boolean | undefined {
    return this.#relations.get(id)?.isView;
  }

  columns(id: string): CatalogColumn[] {
    const found = this.#relations.get(id);
    return found ? JSON.parse(found.columns) as CatalogColumn[] : [];
  }

  add(id: string, given: unknown): void {
    const parsed = Relation.safeParse(given);
    if (!parsed.success) return;
    const { metadata, columns } = parsed.data;
    const inOrder = Object.values(columns).sort((a, b) => a.index - b.index)
      .map(({ name, type }) => ({ name, type }));
    this.#relations.set(id, {
      isView: /view/i.test(metadata.type ?? ""),
      columns: JSON.stringify(inOrder),
    });
  }
}

/** Reads `catalog.json`; empty when there is none. */
export async function readCatalog(artifacts: Artifacts): Promise<Catalog> {
  const catalog = new Catalog();
  for await (const { key, value } of artifacts.entries("catalog.json", ["nodes", "sources"])) {
    catalog.add(key, value);
  }
  return catalog;
}
