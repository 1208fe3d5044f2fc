import { words } from "#web/kit/numbers.ts";

/**
 * What a permission is about, by how its name begins; longer beginnings stand before shorter ones. `cut`: what its label
 * leaves out, by default that beginning.
 */
const objects: readonly (readonly [prefix: string, object: string, cut?: string])[] = [
  ["DATA_ENTITY_ALERT_", "Alerts and tests"],
  ["DATASET_TEST_", "Alerts and tests"],
  ["DATA_ENTITY_OWNERSHIP_", "Owners"],
  ["DATA_ENTITY_CUSTOM_METADATA_", "Metadata"],
  ["DATASET_FIELD_", "Columns"],
  ["DATA_ENTITY_GROUP_", "Groups"],
  ["DATA_ENTITY_ADD_TO_GROUP", "Groups"],
  ["DATA_ENTITY_DELETE_FROM_GROUP", "Groups"],
  ["DATA_ENTITY_ADD_TERM", "Glossary terms"],
  ["DATA_ENTITY_DELETE_TERM", "Glossary terms"],
  ["DATA_ENTITY_", "Asset"],
  ["QUERY_EXAMPLE_DATASET_", "Query examples"],
  ["QUERY_EXAMPLE_TERM_", "Query examples"],
  ["QUERY_EXAMPLE_", "Query examples"],
  ["TERM_OWNERSHIP_", "Owners"],
  ["TERM_", "Glossary terms"],
  ["LOOKUP_TABLE_DEFINITION_", "Columns of lookup tables"],
  ["LOOKUP_TABLE_DATA_", "Rows of lookup tables"],
  ["LOOKUP_TABLE_", "Lookup tables"],
  ["DATA_SOURCE_", "Data sources"],
  ["COLLECTOR_", "Collectors"],
  ["CONNECTION_", "Connections"],
  ["NAMESPACE_", "Namespaces"],
  ["TAG_", "Tags"],
  ["OWNER_ASSOCIATION_", "User links", "OWNER_"],
  ["OWNER_RELATION_", "User links", "OWNER_"],
  ["DIRECT_OWNER_", "User links", ""],
  ["OWNER_", "Owners"],
  ["POLICY_", "Policies"],
  ["ROLE_", "Roles"],
  ["NOTIFICATION_", "Notifications"],
  ["AUDIT_", "Audit"],
  ["OPERATIONS_", "Operations"],
];

export interface PermissionGroup {
  object: string;
  permissions: { name: string; label: string }[];
}

/** Permissions by what they are about, in the order in which each object comes first. */
export function permissionGroups(permissions: readonly string[]): PermissionGroup[] {
  const groups = new Map<string, PermissionGroup>();
  for (const name of permissions) {
    const known = objects.find(([prefix]) => name.startsWith(prefix)) ?? ["", "Other"];
    const object = known[1];
    const cut = known[2] ?? known[0];
    const group = groups.get(object) ?? { object, permissions: [] };
    group.permissions.push({ name, label: labelOf(name, cut) });
    groups.set(object, group);
  }
  return [...groups.values()];
}

/** `Update` of `TAG_UPDATE`: the object is said once, above. */
function labelOf(name: string, cut: string): string {
  return words(name.slice(cut.length) || name.replace(/^DATA_ENTITY_/, ""));
}
