import type { IcebergSettings } from "#contract/connections/iceberg.ts";
import { type Finding, isIncluded, problemFinding, type Session } from "../../connector.ts";
import { IcebergCatalog } from "./api.ts";
import {
  locationCatrn,
  namespaceCatrn,
  namespaceItem,
  namespaceName,
  tableCatrn,
  tableItem,
} from "./items.ts";

/** Deepest namespace, and most tables of one that its group names. */
export const maxLevels = 16;
export const maxMembers = 50_000;

/** Reads namespace by namespace, table by table: of a catalog only the names of its tables are in memory. */
export async function* readCatalog(session: Session<IcebergSettings>): AsyncGenerator<Finding> {
  const catalog = await IcebergCatalog.open(session);
  try {
    yield* new CatalogReader(session, catalog).namespaces([]);
  } finally {
    await catalog.close();
  }
}

class CatalogReader {
  readonly #published = new Set<string>();

  constructor(
    private readonly session: Session<IcebergSettings>,
    private readonly catalog: IcebergCatalog,
  ) {}

  /** The findings of all namespaces below one; returns the CATRNs of those that hold something. */
  async *namespaces(parent: string[]): AsyncGenerator<Finding, string[]> {
    const found: string[] = [];
    if (parent.length >= maxLevels) return found;
    for await (const levels of this.catalog.namespaces(parent)) {
      if (yield* this.#namespace(levels)) found.push(namespaceCatrn(this.session.source, levels));
    }
    return found;
  }

  /** A namespace that cannot be read costs itself only. Returns whether it holds something. */
  async *#namespace(levels: string[]): AsyncGenerator<Finding, boolean> {
    const { signal, source } = this.session;
    try {
      const tables = yield* this.#tables(levels);
      const members = [...tables, ...yield* this.namespaces(levels)];
      if (members.length === 0) return false;
      yield { kind: "item", item: namespaceItem(source, levels, members.slice(0, maxMembers)) };
      return true;
    } catch (error) {
      signal.throwIfAborted();
      yield problemFinding(`namespace ${namespaceName(levels)}`, error);
      return false;
    }
  }

  /** The tables of a namespace; returns their CATRNs. */
  async *#tables(levels: string[]): AsyncGenerator<Finding, string[]> {
    const found: string[] = [];
    for await (const name of this.catalog.tables(levels)) {
      const shown = `${namespaceName(levels)}.${name}`;
      if (!isIncluded(shown, this.session.settings)) continue;
      const finding = await this.#table(levels, name, shown);
      if (finding?.kind === "item") found.push(finding.item.catrn);
      if (finding) yield finding;
    }
    return found;
  }

  async #table(levels: string[], name: string, shown: string): Promise<Finding | null> {
    const { source, naming, signal } = this.session;
    try {
      const metadata = await this.catalog.table(levels, name);
      if (!metadata) return null;
      const byLocation = locationCatrn(metadata.location, naming);
      // A location can be registered twice.
      const isTaken = byLocation === null || this.#published.has(byLocation);
      const catrn = isTaken ? tableCatrn(source, levels, name) : byLocation;
      if (this.#published.has(catrn)) return null;
      this.#published.add(catrn);
      return { kind: "item", item: tableItem(catrn, levels, name, metadata) };
    } catch (error) {
      signal.throwIfAborted();
      return problemFinding(`table ${shown}`, error);
    }
  }
}
