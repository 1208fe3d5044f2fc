import { chosenBy, copied, martColumns, withColumns } from "./column-lineage.ts";
import { dataset, group, type Item, item, type Source, transformer } from "./items.ts";
import { type Mart, marts, metricsMarts } from "./marts.ts";
import { shopTables } from "./tables.ts";

const root = "//snowflake/host/harbour.example/warehouses/analytics/databases/dwh";
const at = (schema: string, kind: string, name: string) =>
  `${root}/schemas/${schema}/${kind}/${name}`;

/** CATRNs of the three layers of the warehouse. */
export const raw = (name: string): string => at("raw", "tables", `shop_${name}`);
export const staging = (name: string): string => at("staging", "views", `stg_${name}`);
export const martTable = (name: string): string => at("marts", "tables", name);

const martNamed = (name: string) => [...marts, ...metricsMarts].find((m) => m.name === name);

/** An input of a mart: another mart by name, everything else through its staging view. */
const inputOf = (name: string) => (martNamed(name) ? martTable(name) : staging(name));

export function martInputs(mart: Mart): string[] {
  return mart.from.map(inputOf);
}

/** From which columns those of a mart are made. */
export function martLineage(mart: Mart): Item[] {
  const columnsOf = (name: string) =>
    (martNamed(name) ?? shopTables.find((t) => t.name === name))!.columns.map(([column]) => column);
  return martColumns(mart, martTable(mart.name), columnsOf, inputOf);
}

/** The analytical warehouse: raw copies, staging views, marts. */
export function warehouse(): Source {
  const all = [...marts, ...metricsMarts];
  const layers: [string, Item[]][] = [
    ["raw", shopTables.map((t) => rawTable(t.name))],
    ["staging", shopTables.map((t) => stagingView(t.name))],
    ["marts", all.map(martItem)],
  ];
  const schemas = layers.map(([name, items]) =>
    item(`${root}/schemas/${name}`, name, "DATABASE_SERVICE", {
      description: `Schema ${name} of the warehouse`,
    }, group(items.map((i) => String(i.catrn)), root))
  );
  const database = item(root, "dwh", "DATABASE_SERVICE", {
    description: "The analytical warehouse",
  }, group(schemas.map((s) => String(s.catrn))));
  return {
    catrn: root,
    name: "Analytics warehouse",
    description: "Snowflake, filled by Airflow and dbt",
    items: [...layers.flatMap(([, items]) => items), ...schemas, database],
  };
}

function rawTable(name: string): Item {
  const source = shopTables.find((t) => t.name === name)!;
  return item(raw(name), `shop_${name}`, "TABLE", {
    description: `Copy of ${source.schema}.${name} as extracted`,
    metadata: { loaded_by: "airflow", retention_days: 400, encrypted: true },
  }, dataset(raw(name), [...source.columns, ["_loaded_at", "TYPE_DATETIME"]], source.rows));
}

function stagingView(name: string): Item {
  const source = shopTables.find((t) => t.name === name)!;
  const sql =
    `select * from raw.shop_${name} qualify row_number() over (partition by id order by _loaded_at desc) = 1`;
  return item(staging(name), `stg_${name}`, "VIEW", {
    description: `The newest version of each row of ${source.schema}.${name}`,
    tags: ["dbt"],
  }, {
    ...dataset(staging(name), source.columns),
    ...withColumns(transformer([raw(name)], [], sql), [
      ...copied(raw(name), staging(name), source.columns.map(([column]) => column)),
      chosenBy(raw(name), staging(name), "id", "_loaded_at"),
    ]),
  });
}

function martItem(mart: Mart): Item {
  const tags = mart.dashboards.includes("Board pack") ? ["dbt", "certified"] : ["dbt"];
  return item(martTable(mart.name), mart.name, "TABLE", {
    description: mart.description,
    tags,
    metadata: { materialisation: "incremental", sla_hours: 6 },
  }, dataset(martTable(mart.name), mart.columns, mart.columns.length * 120_000));
}
