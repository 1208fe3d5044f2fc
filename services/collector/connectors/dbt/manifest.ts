import type { DbtSettings } from "#contract/connections/dbt.ts";
import { type Session, SourceError } from "../../connector.ts";
import type { Artifacts } from "./artifacts.ts";
import type { Catalog } from "./catalog.ts";
import { nodeCatrn, relationCatrn } from "./names.ts";
import { kindOf, Node, nodeSections } from "./nodes.ts";

/** Oldest version of manifests: that of dbt 1.0. */
const oldest = 4;

export interface ManifestFacts {
  /** Version of the format; 0 when it is not a manifest. */
  version: number;
  dbt: string;
  adapter: string;
  /** Names the run of dbt that wrote it. */
  invocation: string;
}

/** What others call a node, by its id. */
export interface NodeName {
  /** CATRN of the node itself. */
  own: string;
  /** CATRN of what others read: its table or view, or the node itself where it has none. */
  data: string;
  isView: boolean;
}

/** What is in memory of a manifest while its nodes are read one by one. */
export interface ManifestIndex {
  facts: ManifestFacts;
  names: ReadonlyMap<string, NodeName>;
  /** Names of owners by the name of their group. */
  groupOwners: ReadonlyMap<string, string>;
}

/** Reads the names of all nodes. Throws a `SourceError` for what is not a manifest. */
export async function readIndex(
  { settings, naming, source }: Session<DbtSettings>,
  artifacts: Artifacts,
  catalog: Catalog,
): Promise<ManifestIndex> {
  const names = new Map<string, NodeName>();
  const groupOwners = new Map<string, string>();
  const metadata = new Map<string, unknown>();
  const sections = ["metadata", "groups", ...nodeSections];
  const { warehouse } = settings;
  for await (const { section, key, value } of artifacts.entries("manifest.json", sections)) {
    if (section === "metadata") metadata.set(key, value);
    else if (section === "groups") addGroup(groupOwners, value);
    else {
      const node = Node.safeParse(value).data;
      const kind = node && kindOf(key, node);
      if (!node || !kind) continue;
      const own = nodeCatrn(source, key);
      const isView = catalog.isView(key) ?? /view/.test(node.config.materialized ?? "");
      const data = kind === "relation" ? relationCatrn({ warehouse, naming }, node, isView) : own;
      names.set(key, { own, data, isView });
    }
  }
  return { facts: requireManifest(factsOf(metadata)), names, groupOwners };
}

function addGroup(owners: Map<string, string>, value: unknown): void {
  const { name, owner } = Node.safeParse(value).data ?? {};
  const text = ownerName(owner);
  if (name !== undefined && text !== "") owners.set(name, text);
}

/** The name of an owner, else its address; dbt allows several addresses. */
export function ownerName(owner: Node["owner"]): string {
  if (!owner) return "";
  const [email] = [owner.email].flat();
  return owner.name || (typeof email === "string" ? email : "");
}

/** Reads what a manifest says of itself, and nothing more of it. */
export async function readFacts(artifacts: Artifacts): Promise<ManifestFacts> {
  const metadata = new Map<string, unknown>();
  const sections = ["metadata", ...nodeSections];
  for await (const { section, key, value } of artifacts.entries("manifest.json", sections)) {
    if (section !== "metadata") break;
    metadata.set(key, value);
  }
  return factsOf(metadata);
}

function factsOf(metadata: ReadonlyMap<string, unknown>): ManifestFacts {
  const text = (name: string) => String(metadata.get(name) ?? "");
  const [, version = "0"] = /\/manifest\/v(\d{1,4})/.exec(text("dbt_schema_version")) ?? [];
  return {
    version: Number(version),
    dbt: text("dbt_version"),
    adapter: text("adapter_type"),
    invocation: `${text("invocation_id")} ${text("generated_at")}`,
  };
}

/** Throws a `SourceError` for a manifest that cannot be read. */
export function requireManifest(facts: ManifestFacts): ManifestFacts {
  if (facts.version >= oldest) return facts;
  const reason = facts.version === 0
    ? "it is not a manifest of dbt"
    : `its format v${facts.version} is older than v${oldest}`;
  throw new SourceError("manifest.json", reason, "Write it with dbt 1.0 or newer");
}
