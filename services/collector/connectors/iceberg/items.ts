import type { Item } from "../../connector.ts";
import { datasetFields } from "#platform/schema-fields.ts";
import { catrnsOf, type NamingSettings } from "#platform/naming/openlineage/names.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import type { TableMetadata } from "./api.ts";
import { currentSchema, partitioning, schemaFields, schemaHistory } from "./schemas.ts";

/** What an extension of metadata is called here. */
const extension = "urn:tributary:connector:iceberg";

/** A whole number of a snapshot's summary. */
function count(summary: ReadonlyMap<string, string> | undefined, name: string): number | undefined {
  const value = Number(summary?.get(name) ?? NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The item of a table. */
export function tableItem(
  catrn: string,
  levels: string[],
  name: string,
  metadata: TableMetadata,
): Item {
  const { properties } = metadata;
  const snapshot = metadata.snapshots?.find((one) =>
    one["snapshot-id"] === metadata["current-snapshot-id"]
  );
  const schema = currentSchema(metadata);
  const rows = count(snapshot?.summary, "total-records");
  const comment = properties.get("comment");
  const owner = (properties.get("owner") ?? "").trim();
  return {
    catrn,
    name,
    type: "TABLE",
    ...(comment ? { description: comment } : {}),
    owners: owner === "" ? [] : [{ name: owner }],
    ...(snapshot ? { updated_at: new Date(snapshot["timestamp-ms"]).toISOString() } : {}),
    metadata: [{ schema_url: extension, metadata: metadataOf(levels, metadata, snapshot) }],
    dataset: {
      ...(rows === undefined ? {} : { rows_number: rows }),
      field_list: schema
        ? datasetFields(`${catrn}/columns`, schemaFields(schema), { isDotted: true })
        : [],
    },
  };
}

function metadataOf(
  levels: string[],
  metadata: TableMetadata,
  snapshot: NonNullable<TableMetadata["snapshots"]>[number] | undefined,
): Record<string, unknown> {
  const partitions = partitioning(metadata);
  const history = schemaHistory(metadata);
  const given: [string, unknown][] = [
    ["namespace", namespaceName(levels)],
    ["location", metadata.location ?? undefined],
    ["table_uuid", metadata["table-uuid"] ?? undefined],
    ["format_version", metadata["format-version"]],
    ["partitioning", partitions.length > 0 ? partitions : undefined],
    ["schema_id", metadata["current-schema-id"] ?? undefined],
    ["schema_history", history.length > 0 ? history : undefined],
    ["snapshot_operation", snapshot?.summary.get("operation")],
    ["size_bytes", count(snapshot?.summary, "total-files-size")],
    ["data_files", count(snapshot?.summary, "total-data-files")],
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** The item of a namespace: the group of its tables and of the namespaces in it. */
export function namespaceItem(source: string, levels: string[], members: string[]): Item {
  return {
    catrn: namespaceCatrn(source, levels),
    name: namespaceName(levels),
    type: "DATABASE_SERVICE",
    metadata: [{ schema_url: extension, metadata: { kind: "namespace" } }],
    data_entity_group: { entities_list: members },
  };
}

/** `sales.emea` of the levels of a namespace. */
export const namespaceName = (levels: string[]) => levels.join(".");

export const namespaceCatrn = (source: string, levels: string[]) =>
  cutTo(`${source}/namespaces/${escaped(namespaceName(levels))}`);

/** CATRN of a table in its catalog, where no rule names its location. */
export const tableCatrn = (source: string, levels: string[], name: string) =>
  cutTo(`${namespaceCatrn(source, levels)}/tables/${escaped(name)}`);

/** CATRN of a table by its location, as events of Spark name it first; null of one that no rule names. */
export function locationCatrn(
  location: string | null | undefined,
  naming: NamingSettings,
): string | null {
  const [, scheme = "", authority = "", path = ""] =
    /^([a-z][a-z0-9+.-]*):(?:\/\/([^/]*))?(\/.*)$/i.exec(location ?? "") ?? [];
  if (scheme === "" || path.replaceAll("/", "") === "") return null;
  const namespace = authority === "" ? scheme : `${scheme}://${authority}`;
  const { catrn, generic } = catrnsOf({ namespace, name: path }, naming);
  return generic ? null : catrn;
}
