import { expect, it } from "vitest";
import { type Client, journey } from "#test/acceptance/client.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";

const [source, other] = ["//postgresql/host/wrote", "//postgresql/host/elsewhere"];
const orders = `${source}/orders`;

interface PostedValues {
  description?: string;
  /** Type of the column `amount`; null: there is no such column. */
  amount?: string | null;
  name?: string;
}

/** What the collector says: all of it differs from what people write, so that mixing them up would show. */
function table({ description, amount = "TYPE_INTEGER", name = "tbl" }: PostedValues = {}) {
  const column = (catrn: string, type: string) => ({
    catrn: `${orders}/${catrn}`,
    name: `col_${catrn}`,
    description,
    type: { type, is_nullable: true },
    tags: [{ name: "collected" }],
    enum_values: [{ name: "raw" }],
  });
  return {
    catrn: orders,
    name,
    description,
    type: "TABLE",
    tags: [{ name: "collected" }],
    metadata: [{ schema_url: "https://example/schema.json", metadata: { level: "theirs" } }],
    dataset: {
      field_list: [column("id", "TYPE_STRING"), ...(amount ? [column("amount", amount)] : [])],
    },
  };
}

interface TagView {
  name: string;
  external: boolean;
}
const ours = (tags: TagView[]) => tags.filter((tag) => !tag.external).map((tag) => tag.name);
const termsOf = (links: { term: { name: string }; is_description_link: boolean }[]) =>
  links.map(({ term, is_description_link: mentioned }) => `${term.name} ${mentioned}`);

/** What people wrote about the table, as the API shows it. */
async function entityTexts(client: Client, id: number) {
  const of = await client.read(`/api/dataentities/${id}`);
  return {
    name: of.internal_name,
    description: of.internal_description,
    tags: ours(of.tags),
    terms: termsOf(of.terms),
    owners: of.ownership.map(({ owner }: { owner: { name: string } }) => owner.name),
    metadata: of.metadata_field_values
      .filter(({ field }: { field: { origin: string } }) => field.origin === "INTERNAL")
      .map(({ field, value }: { field: { name: string }; value: string }) => [field.name, value]),
  };
}

async function amountOf(client: Client, id: number) {
  const { field_list } = await client.read(`/api/datasets/${id}/structure`);
  return field_list.find(({ catrn }: { catrn: string }) => catrn === `${orders}/amount`);
}

/** What people wrote about the column. */
async function fieldTexts(client: Client, id: number) {
  const of = await amountOf(client, id);
  const { items } = await client.read(`/api/datasetfields/${of.id}/enum_values`);
  return {
    name: of.internal_name,
    description: of.internal_description,
    tags: ours(of.tags),
    terms: termsOf(of.terms),
    values: items.filter(({ modifiable }: { modifiable: boolean }) => modifiable)
      .map(({ name, description }: { name: string; description: string }) => [name, description]),
  };
}

const entityWritten = {
  name: "Orders",
  description: "See [[wrote:revenue]].",
  tags: ["pii"],
  terms: ["cost false", "revenue true"],
  owners: ["Sales"],
  metadata: [["level", "3"]],
};
const fieldWritten = {
  name: "Amount",
  description: "Of [[wrote:revenue]], in cents.",
  tags: ["money"],
  terms: ["cost false", "revenue true"],
  values: [["zero", "nothing to pay"]],
};

async function write(client: Client, id: number): Promise<void> {
  const { db } = client.instance.test;
  const cost = await seedTerm(db, "wrote", "cost");
  await seedTerm(db, "wrote", "revenue");
  await db.query("INSERT INTO entity_term VALUES ($1, $2)", [id, cost]);
  const entity = `/api/dataentities/${id}`;
  const field = `/api/datasetfields/${(await amountOf(client, id)).id}`;
  const { put, post } = client;
  const level = { name: "level", type: "INTEGER", value: "3" };
  const answers = [
    await put(`${entity}/name`, { internal_name: entityWritten.name }),
    await put(`${entity}/description`, { internal_description: entityWritten.description }),
    await put(`${entity}/tags`, { tag_name_list: entityWritten.tags }),
    await post(`${entity}/ownership`, { owner_name: "Sales" }),
    await post(`${entity}/metadata`, [level]),
    await put(`${field}/name`, { internal_name: fieldWritten.name }),
    await put(`${field}/description`, { description: fieldWritten.description }),
    await put(`${field}/tags`, { tags: fieldWritten.tags }),
    await post(`${field}/terms`, { term_id: cost }),
    await post(`${field}/enum_values`, {
      items: [{ name: "zero", description: "nothing to pay" }],
    }),
  ];
  expect(answers.map(({ status, text }) => status < 300 ? status : text))
    .toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 201]);
}

journey("what people wrote", (client) => {
  let id = 0;
  const unharmed = async () => {
    expect(await entityTexts(client(), id)).toEqual(entityWritten);
    expect(await fieldTexts(client(), id)).toEqual(fieldWritten);
  };

  it("is shown beside what the collector says, and found", async () => {
    await client().register(source);
    await client().ingest(source, table());
    id = await client().id(orders);
    await write(client(), id);
    await unharmed();
    const details = await client().read(`/api/dataentities/${id}`);
    expect(details.metadata_field_values.map(({ value }: { value: string }) => value).sort())
      .toEqual(["3", "theirs"]);
    for (const word of ["orders", "cents", "money", "pii", "amount"]) {
      const { search_id } = (await client().post("/api/search", { query: word, filters: {} })).json;
      const path = `/api/search/${search_id}/results`;
      const { items } = await client().read(path, { page: 1, size: 9 });
      expect([word, items.map((item: { id: number }) => item.id)]).toEqual([word, [id]]);
    }
  });

  const batches: [string, PostedValues][] = [
    ["the same batch", {}],
    ["other descriptions", { description: "the collector's" }],
    ["another name", { name: "renamed" }],
    ["another type of the column", { amount: "TYPE_NUMBER" }],
  ];
  it.each(batches)("stays with %s", async (_, posted) => {
    await client().ingest(source, table(posted));
    await unharmed();
  });

  it("is found again when the column was gone for a while, as it was or with another type", async () => {
    for (const amount of ["TYPE_NUMBER", "TYPE_STRING"]) {
      await client().ingest(source, table({ amount: null }));
      expect(await amountOf(client(), id)).toBeUndefined();
      expect(await entityTexts(client(), id)).toEqual(entityWritten);
      await client().ingest(source, table({ amount }));
      await unharmed();
    }
  });

  it("stays when the entity is deleted, and restored by a person or by a batch", async () => {
    const status = (status: string) =>
      client().put(`/api/dataentities/${id}/statuses`, { status: { status } });
    await status("DELETED");
    await unharmed();
    await status("STABLE");
    await unharmed();
    await status("DELETED");
    await client().ingest(source, table({ description: "restored", amount: "TYPE_STRING" }));
    expect((await client().read(`/api/dataentities/${id}`)).status.status).toBe("UNASSIGNED");
    await unharmed();
  });

  it("goes with the entity to another data source", async () => {
    await client().register(other);
    await client().ingest(other, table({ amount: "TYPE_BOOLEAN" }));
    const details = await client().read(`/api/dataentities/${id}`);
    expect(details.data_source.catrn).toBe(other);
    await unharmed();
  });

  it("stays when batches and people write at the same time", async () => {
    const types = ["TYPE_INTEGER", "TYPE_STRING", "TYPE_NUMBER", "TYPE_BOOLEAN"];
    const texts = async () => {
      for (let n = 0; n < 8; n++) {
        const internal_description = `${entityWritten.description} ${n}`;
        const path = `/api/dataentities/${id}/description`;
        expect((await client().put(path, { internal_description })).status).toBe(200);
        const field = `/api/datasetfields/${(await amountOf(client(), id)).id}/description`;
        // The row may have been replaced since it was read; then nothing is written.
        expect([200, 400]).toContain(
          (await client().put(field, { description: fieldWritten.description })).status,
        );
      }
      const path = `/api/dataentities/${id}/description`;
      await client().put(path, { internal_description: entityWritten.description });
    };
    const batches = async () => {
      for (const amount of types) await client().ingest(other, table({ amount }));
    };
    await Promise.all([texts(), batches()]);
    await unharmed();
  });
});
