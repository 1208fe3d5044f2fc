import { dataset, group, type Item, item, type Source } from "./items.ts";
import { shopTables, type Table } from "./tables.ts";

const root = "//postgresql/host/shop-db.harbour.example/databases/shop";

const source = { catrn: root, name: "Shop database", description: "PostgreSQL behind the shop" };

/** CATRN of a table of the shop. */
export const shopTable = (name: string): string => {
  const found = shopTables.find((t) => t.name === name);
  return `${root}/schemas/${found?.schema ?? "public"}/tables/${name}`;
};

/** The operational database: tables, and the relationships between them. */
export function shop(): Source {
  const tables = shopTables.map(tableItem);
  const database = item(root, "shop", "DATABASE_SERVICE", {
    description: "The database behind the shop",
  }, group(shopTables.map((t) => shopTable(t.name))));
  return { ...source, items: [...tables, ...relationships(), database] };
}

/** The table of orders as it was before it had a status: its first version, to compare with. */
export function shopBefore(): Source {
  const orders = shopTables.find(({ name }) => name === "orders")!;
  const columns = orders.columns.filter(([name]) => name !== "status");
  return { ...source, items: [tableItem({ ...orders, columns })] };
}

function tableItem(t: Table): Item {
  return item(shopTable(t.name), t.name, "TABLE", {
    description: t.description,
    tags: t.schema === "customers" ? ["personal data"] : [],
    metadata: {
      schema: t.schema,
      owner_role: `${t.schema}_rw`,
      size_mb: Math.ceil(t.rows / 9_000),
    },
  }, dataset(shopTable(t.name), t.columns, t.rows));
}

function relationships(): Item[] {
  return shopTables.flatMap((t) =>
    t.columns.filter(([name]) => name.endsWith("_id")).flatMap(([name]) => {
      const target = targetOf(name);
      return target ? [foreignKey(t.name, name, target)] : [];
    })
  );
}

function targetOf(column: string): string | undefined {
  const stem = column.slice(0, -3);
  return shopTables.find((t) => [`${stem}s`, `${stem.replace(/y$/, "ie")}s`].includes(t.name))
    ?.name;
}

function foreignKey(source: string, column: string, target: string): Item {
  const name = `${source}_${column}_fkey`;
  return item(`${root}/relationships/${name}`, name, "ENTITY_RELATIONSHIP", {}, {
    data_relationship: {
      relationship_type: "ERD",
      source_dataset_catrn: shopTable(source),
      target_dataset_catrn: shopTable(target),
      details: {
        relationship_entity_name: "ERDRelationship",
        source_dataset_field_catrns_list: [`${shopTable(source)}/columns/${column}`],
        target_dataset_field_catrns_list: [`${shopTable(target)}/columns/id`],
        is_identifying: false,
        cardinality: "ONE_TO_ZERO_ONE_OR_MORE",
      },
    },
  });
}
