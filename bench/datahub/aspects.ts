import type { Proposal } from "./sender.ts";

/** Aspects of new tables, and the entities that the catalogue must hold once they are applied. */
export interface AspectFixture {
  proposals: Proposal[];
  /** CATRNs. */
  entities: string[];
}

const columns = 10;

const urnOf = (table: string) =>
  `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.${table},PROD)`;
const catrnOf = (table: string) =>
  `//postgresql/host/unknown/databases/shop/schemas/public/tables/${table}`;

/** What a recipe of a database sends of so many tables: six aspects of each, of which every other one reads another. */
export function tablesOf(prefix: string, tables: number): AspectFixture {
  const fixture: AspectFixture = { proposals: [], entities: [] };
  for (let n = 0; n < tables; n++) {
    const table = `${prefix}_${n}`;
    const aspects = aspectsOf(table, n % 2 === 0 ? undefined : `${prefix}_${n - 1}`);
    for (const [aspectName, value] of Object.entries(aspects)) {
      fixture.proposals.push(proposal(urnOf(table), aspectName, value));
    }
    fixture.entities.push(catrnOf(table));
  }
  return fixture;
}

function aspectsOf(table: string, upstream: string | undefined): Record<string, unknown> {
  return {
    status: { removed: false },
    subTypes: { typeNames: ["Table"] },
    datasetProperties: {
      name: table,
      description: `Ordered items of the shop, part ${table}: what was sold, when, at what price.`,
      customProperties: { owner_team: "warehouse", partitioned: "true" },
    },
    globalTags: { tags: [{ tag: "urn:li:tag:finance" }, { tag: "urn:li:tag:daily" }] },
    schemaMetadata: {
      schemaName: table,
      platform: "urn:li:dataPlatform:postgres",
      version: 0,
      hash: "",
      platformSchema: { "com.linkedin.schema.MySqlDDL": { tableSchema: "" } },
      fields: Array.from({ length: columns }, (_, n) => ({
        fieldPath: `column_${n}`,
        nullable: n > 0,
        description: `Column ${n} of the table`,
        type: { type: { "com.linkedin.schema.StringType": {} } },
        nativeDataType: "varchar(255)",
      })),
    },
    upstreamLineage: {
      upstreams: upstream === undefined ? [] : [{ dataset: urnOf(upstream), type: "TRANSFORMED" }],
    },
  };
}

function proposal(entityUrn: string, aspectName: string, value: unknown): Proposal {
  return {
    entityUrn,
    entityType: "dataset",
    changeType: "UPSERT",
    aspectName,
    aspect: { value: JSON.stringify(value), contentType: "application/json" },
  };
}
