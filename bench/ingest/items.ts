/** What the benchmarks post: tables of ten fields, and one job per five items, so that there are edges. */
export interface Item {
  catrn: string;
  name: string;
  description: string;
  type: "TABLE" | "VIEW" | "JOB";
  tags: { name: string }[];
  metadata: { schema_url: string; metadata: Record<string, unknown> }[];
  dataset?: { parent_catrn?: string; field_list: Field[] };
  data_transformer?: { inputs: string[]; outputs: string[] };
}

export interface Field {
  catrn: string;
  name: string;
  description: string;
  type: { type: string; logical_type: string; is_nullable: boolean };
  is_primary_key: boolean;
  tags?: { name: string }[];
}

export interface Batch {
  source: string;
  items: Item[];
  /** The body of a POST. */
  body: string;
}

export const fieldsOfTable = 10;
export const tagNames = ["finance", "daily", "certified", "pii"];

/** The entity of a source that its views read; posted first. */
export const baseOf = (source: string) => `${source}/base`;

/** Items of a new batch; `round` makes their names different from those of all other batches. */
export function newBatch(source: string, round: string, size: number): Batch {
  const items = Array.from({ length: size }, (_, at) => itemAt(source, round, at, size));
  return batchOf(source, items);
}

/** The batch that creates the entity that views read. */
export function baseBatch(source: string): Batch {
  const { dataset, ...base } = tableAt(source, "base", 0);
  const field_list = dataset!.field_list;
  return batchOf(source, [{
    ...base,
    catrn: baseOf(source),
    type: "TABLE",
    dataset: { field_list },
  }]);
}

function batchOf(source: string, items: Item[]): Batch {
  return { source, items, body: JSON.stringify({ data_source_catrn: source, items }) };
}

const catrnAt = (source: string, round: string, at: number) => `${source}/${round}/item_${at}`;

function itemAt(source: string, round: string, at: number, size: number): Item {
  return at % 5 === 4 ? jobAt(source, round, at, size) : tableAt(source, round, at);
}

/** The first of every five tables is a view of the base, so that the smallest batch has an edge. */
function tableAt(source: string, round: string, at: number): Item {
  const view = at % 5 === 0;
  const catrn = catrnAt(source, round, at);
  return {
    ...head(source, round, at),
    type: view ? "VIEW" : "TABLE",
    dataset: {
      ...(view ? { parent_catrn: baseOf(source) } : {}),
      field_list: Array.from({ length: fieldsOfTable }, (_, n) => fieldAt(catrn, n)),
    },
  };
}

/** A job that reads the two tables before it and writes the one after it (or the first). */
function jobAt(source: string, round: string, at: number, size: number): Item {
  const near = (n: number) => catrnAt(source, round, n);
  return {
    ...head(source, round, at),
    type: "JOB",
    data_transformer: {
      inputs: [near(at - 1), near(at - 2)],
      outputs: [near(at + 1 < size ? at + 1 : 0)],
    },
  };
}

function head(source: string, round: string, at: number) {
  return {
    catrn: catrnAt(source, round, at),
    name: `order_items_${at}`,
    description:
      `Ordered items of the shop, part ${at} of ${round}: what was sold, when, at what price.`,
    tags: [{ name: tagNames[at % 4]! }, { name: tagNames[(at + 1) % 4]! }],
    metadata: [{
      schema_url: "https://example.org/table.json",
      metadata: { owner_team: "warehouse", row_count: 1_000 + at, partitioned: at % 2 === 0 },
    }],
  };
}

function fieldAt(catrn: string, n: number): Field {
  return {
    catrn: `${catrn}/columns/column_${n}`,
    name: `column_${n}`,
    description: `Column ${n} of the table`,
    type: { type: "TYPE_STRING", logical_type: "varchar(255)", is_nullable: n > 0 },
    is_primary_key: n === 0,
    ...(n === 0 ? { tags: [{ name: tagNames[0]! }] } : {}),
  };
}
