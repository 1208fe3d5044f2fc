import { words } from "#web/kit/numbers.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

type Rule = readonly [prefix: string, object: PlainKey, cut?: string];

/**
 * What a permission is about, by how its name begins; longer beginnings stand before shorter ones. `cut`: what its label
 * leaves out, by default that beginning.
 */
const objects: readonly Rule[] = [
  ["DATA_ENTITY_ALERT_", "management.alertsAndTests"],
  ["DATASET_TEST_", "management.alertsAndTests"],
  ["DATA_ENTITY_OWNERSHIP_", "kit.owners"],
  ["DATA_ENTITY_CUSTOM_METADATA_", "management.metadata"],
  ["DATASET_FIELD_", "kit.columns"],
  ["DATA_ENTITY_GROUP_", "management.groups"],
  ["DATA_ENTITY_ADD_TO_GROUP", "management.groups"],
  ["DATA_ENTITY_DELETE_FROM_GROUP", "management.groups"],
  ["DATA_ENTITY_ADD_TERM", "management.glossaryTerms"],
  ["DATA_ENTITY_DELETE_TERM", "management.glossaryTerms"],
  ["DATA_ENTITY_", "management.asset"],
  ["QUERY_EXAMPLE_DATASET_", "management.queryExamples"],
  ["QUERY_EXAMPLE_TERM_", "management.queryExamples"],
  ["QUERY_EXAMPLE_", "management.queryExamples"],
  ["TERM_OWNERSHIP_", "kit.owners"],
  ["TERM_", "management.glossaryTerms"],
  ["LOOKUP_TABLE_DEFINITION_", "management.columnsOfLookupTables"],
  ["LOOKUP_TABLE_DATA_", "management.rowsOfLookupTables"],
  ["LOOKUP_TABLE_", "management.lookupTables"],
  ["DATA_SOURCE_", "management.dataSources"],
  ["COLLECTOR_", "management.collectors"],
  ["CONNECTION_", "management.connections"],
  ["NAMESPACE_", "management.namespaces"],
  ["TAG_", "kit.tags"],
  ["OWNER_ASSOCIATION_", "management.userLinks", "OWNER_"],
  ["OWNER_RELATION_", "management.userLinks", "OWNER_"],
  ["DIRECT_OWNER_", "management.userLinks", ""],
  ["OWNER_", "kit.owners"],
  ["POLICY_", "management.policies"],
  ["ROLE_", "management.roles"],
  ["NOTIFICATION_", "management.notifications"],
  ["AUDIT_", "management.audit"],
  ["OPERATIONS_", "management.operations"],
];
const others: Rule = ["", "management.otherObjects"];

export interface PermissionGroup {
  object: string;
  permissions: { name: string; label: string }[];
}

/** Permissions by what they are about, in the order in which each object comes first. */
export function permissionGroups(permissions: readonly string[]): PermissionGroup[] {
  const groups = new Map<PlainKey, PermissionGroup>();
  for (const name of permissions) {
    const [prefix, object, cut] = objects.find(([prefix]) => name.startsWith(prefix)) ?? others;
    const group = groups.get(object) ?? { object: t(object), permissions: [] };
    group.permissions.push({ name, label: labelOf(name, cut ?? prefix) });
    groups.set(object, group);
  }
  return [...groups.values()];
}

/** `Update` of `TAG_UPDATE`: the object is said once, above. */
function labelOf(name: string, cut: string): string {
  return words(name.slice(cut.length) || name.replace(/^DATA_ENTITY_/, ""));
}
