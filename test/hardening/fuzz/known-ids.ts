/** Sends a request and returns its JSON; throws for an answer that is no success. */
// deno-lint-ignore no-explicit-any -- answers of every shape
export type SendRequest = (method: string, path: string, body?: unknown) => Promise<any>;

/** Ids that paths may name, by the name of the parameter. */
export type KnownIds = Map<string, string[]>;

/** Makes one of each thing that people can make, about the entity; returns their ids. */
export async function makeOneOfEach(ask: SendRequest, entity: number): Promise<KnownIds> {
  const at = `/api/dataentities/${entity}`;
  const known: KnownIds = new Map();
  const keep = (name: string, ...ids: unknown[]) =>
    known.set(name, [...known.get(name) ?? [], ...ids.map(String)]);
  keep("data_entity_id", entity);
  const { field_list } = await ask("GET", `/api/datasets/${entity}/structure`);
  keep("dataset_field_id", ...field_list.map(({ id }: { id: number }) => id));
  await keepTerms(ask, at, keep);
  await keepExamples(ask, at, keep);
  await keepLookupTable(ask, keep);
  await keepAttachments(ask, at, keep);
  const values = await ask("POST", `${at}/metadata`, [{
    name: "fuzz",
    type: "STRING",
    value: "x",
  }]);
  keep("metadata_field_id", values.items[0].field.id);
  const ownership = await ask("POST", `${at}/ownership`, { owner_name: "fuzz", title_name: "t" });
  keep("ownership_id", ownership.id);
  keep("integration_id", (await ask("GET", "/api/integrations")).items[0].id);
  return known;
}

type Keep = (name: string, ...ids: unknown[]) => void;

async function keepTerms(ask: SendRequest, at: string, keep: Keep): Promise<void> {
  const term = (name: string) =>
    ask("POST", "/api/terms", { name, namespace_name: "fuzz", definition: "see [[fuzz:two]]" });
  const [one, two] = [await term("one"), await term("two")];
  await ask("POST", `/api/terms/${one.id}/term`, { linked_term_id: two.id });
  await ask("POST", `${at}/terms`, { term_id: one.id });
  const ownership = await ask("POST", `/api/terms/${one.id}/ownership`, {
    owner_name: "fuzz",
    title_name: "t",
  });
  keep("term_id", one.id, two.id);
  keep("linked_term_id", two.id);
  keep("ownership_id", ownership.id);
  keep("namespace_name", "fuzz");
  keep("term_name", "one", "two");
}

async function keepExamples(ask: SendRequest, at: string, keep: Keep): Promise<void> {
  const { id } = await ask("POST", "/api/queryexample", { definition: "fuzz", query: "SELECT 1" });
  await ask("POST", `${at}/queryexample`, { query_example_id: id });
  keep("example_id", id);
}

async function keepLookupTable(ask: SendRequest, keep: Keep): Promise<void> {
  const form = { name: "fuzz", namespace_name: "fuzz", description: "d" };
  const { table_id } = await ask("POST", "/api/referencedata/table", form);
  const table = `/api/referencedata/table/${table_id}`;
  const { fields } = await ask("POST", `${table}/columns`, [
    { name: "a", field_type: "VARCHAR" },
    { name: "n", field_type: "INTEGER", is_nullable: true },
  ]);
  const column = fields.find(({ name }: { name: string }) => name === "a");
  const rows = await ask("POST", `${table}/data`, [
    { items: [{ field_id: column.field_id, value: "x" }] },
  ]);
  keep("lookup_table_id", table_id);
  keep("column_id", ...fields.map(({ field_id }: { field_id: number }) => field_id));
  keep("row_id", rows.items[0].row_id);
}

async function keepAttachments(ask: SendRequest, at: string, keep: Keep): Promise<void> {
  const [link] = await ask("POST", `${at}/links`, {
    items: [{ name: "fuzz", url: "https://example.com/" }],
  });
  const upload = await ask("POST", `${at}/files/uploads`, { fileName: "fuzz.txt" });
  keep("link_id", link.id);
  keep("upload_id", upload.id);
}

/** Where each family's searches are started, with the form that starts one. */
const searches: [path: string, form: object][] = [
  ["/api/search", { query: "", filters: {} }],
  ["/api/terms/search", { query: "", filters: {} }],
  ["/api/queryexample/search", { query: "" }],
  ["/api/referencedata/search", { query: "" }],
];

/** Starts a search of each family; returns its id by the path that started it. */
export async function startSearches(ask: SendRequest): Promise<Map<string, string>> {
  const started = new Map<string, string>();
  for (const [path, form] of searches) {
    started.set(path, (await ask("POST", path, form)).search_id);
  }
  return started;
}
