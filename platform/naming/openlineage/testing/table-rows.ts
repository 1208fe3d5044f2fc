import type { Row } from "./row.ts";

const table = { kind: "TABLE" as const, malformed: ["", "a.b."] };
const pair = { kind: "TABLE" as const, malformed: [""] };
export const tableRows: Row[] = [
  {
    ...table,
    rule: "postgresql",
    canonical: ["postgres://db.example:5432", "shop.public.orders"],
    catrn: "//postgresql/host/db.example/databases/shop/schemas/public/tables/orders",
    variants: [
      ["postgresql://DB.example", "shop.public.orders"],
      ["POSTGRES://me:pw@db.example:5432/?ssl=true", '"shop"."public"."orders"'],
      ["postgres://db.example:5432,other:5432", "shop.public.orders"],
      ["postgres://db.example:5432/shop", "public.orders"],
      ["jdbc:postgresql://db.example:5432/shop", "public.orders"],
    ],
  },
  {
    ...table,
    rule: "postgresql",
    canonical: ["postgres://db.example:6432", 'shop.public."a.b"'],
    catrn: "//postgresql/host/db.example:6432/databases/shop/schemas/public/tables/a.b",
    variants: [["postgres://db.example:6432", "shop.public.a.b"]],
  },
  {
    ...table,
    rule: "mysql",
    canonical: ["mysql://my.example:3306", "shop.carts"],
    catrn: "//mysql/host/my.example/databases/shop/tables/carts",
    variants: [["mariadb://my.example", "`shop`.`carts`"], [
      "mysql://my.example:3306",
      "x.shop.carts",
    ]],
  },
  {
    ...pair,
    rule: "clickhouse",
    canonical: ["clickhouse://c.example:8123", "shop.hits"],
    catrn: "//clickhouse/host/c.example/databases/shop/tables/hits",
    variants: [["clickhouse://c.example", "shop.hits"]],
  },
  {
    ...pair,
    rule: "singlestore",
    canonical: ["singlestore://s.example:3306", "shop.hits"],
    catrn: "//singlestore/host/s.example/databases/shop/tables/hits",
    variants: [["singlestore://s.example", "shop.hits"]],
  },
  {
    ...pair,
    rule: "hive",
    canonical: ["hive://hs2.example:10000", "shop.orders"],
    catrn: "//hive/host/hs2.example/databases/shop/tables/orders",
    variants: [["hive://hs2.example", "`shop`.orders"]],
  },
  {
    ...table,
    rule: "bigquery_storage",
    canonical: ["bigquery", "acme.shop.orders"],
    catrn: "//bigquery_storage/cloud/gcp/project/acme/datasets/shop/tables/orders",
    variants: [
      ["bigquery", "acme.shop.orders$20260131"],
      ["bigquery", "acme.shop.orders@1700000000"],
      ["bigquery:", "`acme`.shop.orders"],
      ["bigquery", "acme:shop.orders"],
      ["bigquery://", "acme.shop.orders"],
    ],
  },
  {
    ...table,
    rule: "bigquery_storage",
    canonical: ["bigquery", "example.com:acme.shop.orders"],
    catrn: "//bigquery_storage/cloud/gcp/project/example.com:acme/datasets/shop/tables/orders",
    variants: [],
  },
  {
    ...table,
    rule: "snowflake",
    canonical: ["snowflake://xy12345.eu-central-1.aws", "SHOP.PUBLIC.ORDERS"],
    catrn:
      "//snowflake/host/XY12345.EU-CENTRAL-1.AWS.snowflakecomputing.com/databases/SHOP/schemas/PUBLIC/tables/ORDERS",
    variants: [
      ["snowflake://XY12345.eu-central-1.aws", "shop.public.orders"],
      ["snowflake://xy12345.eu-central-1.aws.snowflakecomputing.com", 'SHOP."PUBLIC".orders'],
    ],
  },
  {
    ...table,
    rule: "snowflake",
    canonical: ["snowflake://acme-main", 'SHOP.PUBLIC."Orders"'],
    catrn:
      "//snowflake/host/ACME-MAIN.snowflakecomputing.com/databases/SHOP/schemas/PUBLIC/tables/Orders",
    variants: [["snowflake://ACME-MAIN", 'shop.public."Orders"']],
  },
  {
    ...table,
    rule: "redshift",
    canonical: ["redshift://wh.eu-west-1:5439", "shop.public.orders"],
    catrn: "//redshift/host/wh.eu-west-1/databases/shop/schemas/public/tables/orders",
    variants: [["redshift://WH.eu-west-1", "shop.public.orders"]],
  },
  {
    ...table,
    rule: "athena",
    canonical: ["awsathena://athena.eu-west-1.amazonaws.com", "AwsDataCatalog.shop.orders"],
    catrn:
      "//athena/cloud/aws/account/unknown/region/eu-west-1/catalogs/AwsDataCatalog/databases/shop/tables/orders",
    variants: [
      ["awsathena://athena.eu-west-1.amazonaws.com:443", "shop.orders"],
      ["athena://athena.eu-west-1.amazonaws.com", "AwsDataCatalog.shop.orders"],
    ],
    malformed: ["", "orders"],
  },
  {
    ...table,
    rule: "glue",
    canonical: ["arn:aws:glue:eu-west-1:123456789012", "table/shop/orders"],
    catrn: "//glue/cloud/aws/account/123456789012/region/eu-west-1/databases/shop/tables/orders",
    variants: [],
    malformed: ["shop.orders", "table/shop", "table//x"],
  },
  {
    ...table,
    rule: "mssql",
    canonical: ["mssql://ms.example:1433", "shop.dbo.orders"],
    catrn: "//mssql/host/ms.example/databases/shop/schemas/dbo/tables/orders",
    variants: [
      ["sqlserver://ms.example", "[shop].[dbo].[orders]"],
      ["sqlserver://ms.example:1433;database=shop;encrypt=true", "dbo.orders"],
      ["sqlserver://ms.example:1433;databaseName=shop", "orders"],
      ["mssql://ms.example:1433", "shop..orders"],
    ],
  },
  {
    ...table,
    rule: "oracle",
    canonical: ["oracle://ora.example:1521", "pdb1.SALES.ORDERS"],
    catrn: "//oracle/host/ora.example/schemas/SALES/databases/pdb1/tables/ORDERS",
    variants: [["oracle://ora.example", "pdb1.sales.orders"], [
      "oracle://ora.example/pdb1",
      "SALES.orders",
    ]],
  },
  {
    ...table,
    rule: "oracle",
    canonical: ["oracle://ora.example:1521", 'pdb1.SALES."Orders"'],
    catrn: "//oracle/host/ora.example/schemas/SALES/databases/pdb1/tables/Orders",
    variants: [],
  },
  ...["trino", "presto"].map((system): Row => ({
    ...table,
    rule: system,
    canonical: [`${system}://t.example:8080`, "hive.shop.orders"],
    catrn: `//${system}/host/t.example/catalogs/hive/schemas/shop/tables/orders`,
    variants: [[`${system}://T.example`, 'hive."shop".orders']],
  })),
  {
    ...pair,
    rule: "cassandra",
    canonical: ["cassandra://c.example:9042", "shop.orders"],
    catrn: "//cassandra/host/c.example/keyspaces/shop/tables/orders",
    variants: [["cassandra://c.example", "shop.orders"]],
  },
  {
    ...table,
    rule: "mongo",
    canonical: ["mongodb://m.example:27017", "shop.fs.files"],
    catrn: "//mongo/host/m.example/databases/shop/collections/fs.files",
    variants: [["mongo://m.example", "shop.fs.files"], [
      "mongodb://m.example:27017,n:27017",
      "shop.fs.files",
    ]],
    malformed: [""],
  },
  ...["databricks", "unitycatalog"].map((scheme): Row => ({
    ...table,
    rule: "databricks_unity_catalog",
    canonical: ["databricks://w.cloud.databricks.example", "main.shop.orders"],
    catrn:
      "//databricks_unity_catalog/host/w.cloud.databricks.example/catalogs/main/schemas/shop/tables/orders",
    variants: [[`${scheme}://w.cloud.databricks.example:443`, "main.shop.orders"]],
  })),
  {
    ...table,
    rule: "duckdb",
    canonical: ["duckdb:///data/Shop.duckdb", "shop.main.orders"],
    catrn: "//duckdb/host/\\\\data\\\\Shop.duckdb/catalogs/shop/schemas/main/tables/orders",
    variants: [],
    malformed: [""],
  },
];
