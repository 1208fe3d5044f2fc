import type { CallWorld, Rows } from "#test/support/statements/rows.ts";

/** As many as the world has, at most `max`: some forms take fewer. */
const times = <T>({ n }: CallWorld, item: (at: number) => T, max = n) =>
  Array.from({ length: Math.min(n, max) }, (_, at) => item(at));
const named = (w: CallWorld) => times(w, (at) => `${w.name} ${w.round} ${at}`);
const mentions = (w: CallWorld) =>
  times(w, (at) => `[[described:linked ${at}]]`).join(" ") + w.round;
const filters = (w: CallWorld) => ({
  tags: w.tags.map((entity_id) => ({ entity_id, entity_name: "t", selected: true })),
});
const groupForm = (w: CallWorld) => ({
  name: `${w.name} ${w.round}`,
  type: { id: 22, name: "DOMAIN" },
  entities: w.members.slice(w.round).map((id) => ({ id })),
});

/** Operations that change something, or search; each call changes something else than the one before. */
export const writes: Rows = {
  search: (w) => ["POST", "/api/search", { query: "", filters: filters(w) }],
  updateSearchFacets: (w) => ["PUT", `/api/search/${w.search}`, { query: "", filters: filters(w) }],

  upsertDataEntityInternalName: (w) => [
    "PUT",
    `/api/dataentities/${w.dataset}/name`,
    { internal_name: `${w.name} ${w.round}` },
  ],
  upsertDataEntityInternalDescription: (w) => [
    "PUT",
    `/api/dataentities/${w.dataset}/description`,
    { internal_description: mentions(w) },
  ],
  createDataEntityMetadataFieldValue: (w) => [
    "POST",
    `/api/dataentities/${w.dataset}/metadata`,
    times(w, (at) => ({ name: `${w.round} ${at}`, type: "STRING", value: "v" }), 100),
  ],
  createDataEntityTagsRelations: (w) => [
    "PUT",
    `/api/dataentities/${w.dataset}/tags`,
    { tag_name_list: named(w) },
  ],
  createTag: (
    w,
  ) => ["POST", "/api/tags", times(w, (at) => ({ name: `${w.name} new ${w.round} ${at}` }))],

  updateDatasetFieldDescription: (w) => [
    "PUT",
    `/api/datasetfields/${w.fields[0]}/description`,
    { description: mentions(w) },
  ],
  updateDatasetFieldInternalName: (w) => [
    "PUT",
    `/api/datasetfields/${w.fields[0]}/name`,
    { internal_name: `${w.round}` },
  ],
  updateDatasetFieldTags: (w) => [
    "PUT",
    `/api/datasetfields/${w.fields[0]}/tags`,
    { tags: named(w) },
  ],
  createEnumValue: (w) => [
    "POST",
    `/api/datasetfields/${w.fields[0]}/enum_values`,
    { items: named(w).map((name) => ({ name })) },
  ],

  createDataEntityGroup: (w) => ["POST", "/api/dataentitygroups", groupForm(w)],
  updateDataEntityGroup: (w) => ["PUT", `/api/dataentitygroups/${w.group}`, groupForm(w)],
  createOwnership: (w) => [
    "POST",
    `/api/dataentities/${w.group}/ownership`,
    { owner_name: `${w.name} ${w.round}`, propagate: true },
  ],
  updateStatus: (w) => [
    "PUT",
    `/api/dataentities/${w.group}/statuses`,
    { status: { status: w.round === 0 ? "STABLE" : "UNASSIGNED" }, propagate: true },
  ],
  setDataQATestSeverity: (w) => [
    "PUT",
    `/api/datasets/${w.dataset}/dataqatests/${w.members[0]}/severity`,
    { severity: w.round === 0 ? "MINOR" : "CRITICAL" },
  ],
  createAlerts: (w) => [
    "POST",
    "/ingestion/alerts",
    {
      items: times(w, (at) => ({
        data_source_catrn: w.sourceCatrn,
        message: `${at}`,
        type: "AGENT_ERROR",
      })),
    },
  ],
  routeAlerts: (w) => [
    "POST",
    "/ingestion/alert/alertrouter",
    { alerts: times(w, (at) => ({ status: "firing", labels: { entity_catrn: w.catrns[at] } })) },
  ],
};
