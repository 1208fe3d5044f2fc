import type { DemonstrationClient } from "../client.ts";
import {
  entities,
  examples,
  lookupTable,
  terms,
  type WrittenEntity,
  type WrittenExample,
  type WrittenTerm,
} from "./written.ts";

/** Ids of terms by `namespace:name`. */
type Terms = Map<string, number>;

/**
 * Writes what the people of the demonstration know: terms, descriptions, owners, tags, queries, a lookup table. What is
 * there already is left or written again, so that it may run twice.
 */
export async function writePeople(
  client: DemonstrationClient,
  print: (line: string) => void,
): Promise<void> {
  const ids: Terms = new Map();
  for (const term of terms) {
    ids.set(`${term.namespace}:${term.name}`, await writeTerm(client, term));
  }
  for (const entity of entities) await writeEntity(client, ids, entity);
  for (const example of examples) await writeExample(client, ids, example);
  const rows = await writeLookupTable(client);
  print(
    `${terms.length} terms, ${entities.length} descriptions and owners, ${examples.length} queries and a ` +
      `lookup table of ${rows} rows are written.`,
  );
}

async function writeTerm(client: DemonstrationClient, term: WrittenTerm): Promise<number> {
  const { namespace, name, definition, owner, tags } = term;
  const named = `/api/terms/namespaces/${encodeURIComponent(namespace)}/names/${
    encodeURIComponent(name)
  }`;
  const found = await client.ask("GET", named, undefined, [404]);
  const form = { name, namespace_name: namespace, definition };
  const { id } = found ?? await client.ask("POST", "/api/terms", form);
  await client.ask("PUT", `/api/terms/${id}/tags`, { tag_name_list: tags });
  const ownership = { owner_name: owner, title_name: "Owner" };
  await client.ask("POST", `/api/terms/${id}/ownership`, ownership, [400]);
  return id;
}

async function writeEntity(
  client: DemonstrationClient,
  ids: Terms,
  written: WrittenEntity,
): Promise<void> {
  const { id } = await client.find(written.catrn);
  const at = `/api/dataentities/${id}`;
  if (written.name) await client.ask("PUT", `${at}/name`, { internal_name: written.name });
  if (written.description) {
    const form = { internal_description: written.description };
    await client.ask("PUT", `${at}/description`, form);
  }
  if (written.tags) await client.ask("PUT", `${at}/tags`, { tag_name_list: written.tags });
  if (written.owner) {
    const form = { owner_name: written.owner.name, title_name: written.owner.title };
    await client.ask("POST", `${at}/ownership`, form, [400]);
  }
  for (const term of written.terms ?? []) {
    await client.ask("POST", `${at}/terms`, { term_id: ids.get(term) }, [400]);
  }
  for (const value of written.metadata ?? []) {
    await client.ask("POST", `${at}/metadata`, [value], [400]);
  }
}

async function writeExample(
  client: DemonstrationClient,
  ids: Terms,
  written: WrittenExample,
): Promise<void> {
  const { definition, query } = written;
  const params = new URLSearchParams({ page: "1", size: "1", query: definition });
  const { items: [found] } = await client.ask("GET", `/api/queryexample?${params}`);
  const { id } = found ?? await client.ask("POST", "/api/queryexample", { definition, query });
  const link = { query_example_id: id };
  for (const catrn of written.datasets) {
    const dataset = await client.find(catrn);
    await client.ask("POST", `/api/dataentities/${dataset.id}/queryexample`, link, [400]);
  }
  for (const term of written.terms) {
    await client.ask("POST", `/api/terms/${ids.get(term)}/queryexample`, link, [400]);
  }
}

/** Returns its number of rows. */
async function writeLookupTable(client: DemonstrationClient): Promise<number> {
  const { name, namespace, description, columns, csv } = lookupTable;
  const form = { name, namespace_name: namespace, description };
  const made = await client.ask("POST", "/api/referencedata/table", form, [400]);
  const rows = csv.trim().split("\n").length - 1;
  if (!made) return rows;
  const at = `/api/referencedata/table/${made.table_id}`;
  await client.ask("POST", `${at}/columns`, columns);
  await client.ask("POST", `${at}/data/import`, csv);
  return rows;
}
