/**
 * What an answer of column lineage is made of. Each list has a value for each column, or for each edge as declared; those
 * that are text have commas between, or stand for none when null.
 */
export interface AnswerLists {
  /** Ids of columns, rising. */
  ids: string | null;
  dataset_ids: string | null;
  names: (string | null)[] | null;
  /** `null` for a column that the newest structure has not. */
  field_ids: string | null;
  types: (string | null)[] | null;
  logical_types: (string | null)[] | null;
  /** A letter for each, without commas: `t` or `f`. */
  nullable: string | null;
  /** Edges are in the order of source, target, kind and establisher. */
  source_ids: string | null;
  target_ids: string | null;
  establisher_ids: string | null;
  /** JSON members with a comma before each, `kind` first; null where nothing but the edge was declared. */
  said: (string | null)[] | null;
  /** Milliseconds since 1970. */
  since: string | null;
  /** JSON of the datasets, with commas between. */
  datasets: string | null;
}

/**
 * The members `columns`, `datasets` and `edges` of a ColumnLineage, as JSON without braces around them. Lists of tens of
 * thousands become JSON here: PostgreSQL takes three times as long for it.
 */
export function membersJson(lists: AnswerLists): string {
  return `"columns":[${columnsJson(lists)}],"datasets":[${lists.datasets ?? ""}],` +
    `"edges":[${edgesJson(lists)}]`;
}

function numbers(list: string | null): string[] {
  return list === null ? [] : list.split(",");
}

// Pieces are joined once, at the end: tens of thousands of texts, one for each column or edge, would keep the collector of
// garbage busier than that.

function columnsJson(lists: AnswerLists): string {
  const id = numbers(lists.ids);
  const dataset = numbers(lists.dataset_ids);
  const field = numbers(lists.field_ids);
  const { names, types, logical_types: logical, nullable } = lists;
  const datasetJson = remembered((dataset) => `,"dataset_id":${dataset},"name":`);
  const pieces: string[] = [];
  for (let n = 0; n < id.length; n++) {
    pieces.push(
      '{"id":',
      id[n]!,
      datasetJson(dataset[n]!),
      JSON.stringify(names![n]),
      ',"field_id":',
      field[n]!,
      field[n] === "null" ? ',"type":null},' : typeJson(types![n]!, logical![n]!, nullable![n]!),
    );
  }
  return pieces.join("").slice(0, -1);
}

function typeJson(type: string, logical_type: string | null, nullable: string): string {
  return `,"type":${JSON.stringify({ type, logical_type, is_nullable: nullable === "t" })}},`;
}

const nothingSaid =
  ',"kind":"DIRECT","subtype":null,"masking":null,"description":null,"origin":"DECLARED","establisher_ids":[';

/** Edges that several entities declare are one here: of what was said counts the first, of times the earliest. */
function edgesJson(lists: AnswerLists): string {
  const source = numbers(lists.source_ids);
  const target = numbers(lists.target_ids);
  const establisher = numbers(lists.establisher_ids);
  const since = numbers(lists.since);
  const said = (n: number) => {
    const json = lists.said?.[n];
    return json ? `${json},"establisher_ids":[` : nothingSaid;
  };
  const sinceJson = remembered((ms) => `],"since":"${new Date(Number(ms)).toISOString()}"},`);
  const pieces: string[] = [];
  for (let n = 0; n < source.length;) {
    const first = n++;
    let establishers = establisher[first]!;
    let earliest = since[first]!;
    for (; source[n] === source[first] && target[n] === target[first]; n++) {
      if (isIndirect(said(n)) !== isIndirect(said(first))) break;
      establishers += `,${establisher[n]}`;
      if (Number(since[n]) < Number(earliest)) earliest = since[n]!;
    }
    pieces.push(
      '{"source_id":',
      source[first]!,
      ',"target_id":',
      target[first]!,
      said(first),
      establishers,
      sinceJson(earliest),
    );
  }
  return pieces.join("").slice(0, -1);
}

function isIndirect(said: string): boolean {
  return said.startsWith(',"kind":"INDIRECT"');
}

/** Builds a text once for consecutive equal values: columns of a dataset, edges declared together. */
function remembered(make: (of: string) => string): (of: string) => string {
  let last: string | undefined;
  let made = "";
  return (of) => {
    if (of !== last) made = make(last = of);
    return made;
  };
}
