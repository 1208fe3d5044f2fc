import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import type { Logger } from "#kit/log.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import * as facts from "./facts.queries.ts";
import { maxAttempts, maxDatasets, maxSchemaFields } from "./limits.ts";
import type { SqlLineageMetrics } from "./metrics.ts";
import type { Refusal, SqlDataset, SqlLineageResult } from "./model.ts";
import type { SqlReader } from "./reader.ts";
import { type Outcome, store } from "./store.ts";

export interface ReadDeps {
  db: Database;
  reader: SqlReader;
  log: Logger;
  metrics: SqlLineageMetrics;
}

/** Parses the SQL of one entity that is due, and stores its lineage. False when it changed meanwhile. */
export async function readEntity(id: number, deps: ReadDeps): Promise<boolean> {
  const { db, metrics, log } = deps;
  const [found] = await db.query(facts.factsOf, [id]);
  if (!found) return true;
  const reading = await readingOf(found, deps);
  let refused = reading && "refused" in reading ? reading.refused : undefined;
  let stored: boolean;
  try {
    stored = await store(db, found, outcomeOf(found, reading));
  } catch (error) {
    // Names that cannot be stored must not be met again and again.
    if (classify(error) !== "permanent") throw error;
    log.warn("column lineage of SQL cannot be stored", { entity: id, error });
    refused = "columns";
    stored = await store(db, found, { edges: [], outcome: refused, gaps: [] });
  }
  if (stored && refused) metrics.refused(refused);
  else if (stored && reading) metrics.read();
  if (stored && reading?.dropped) metrics.dropped(reading.dropped);
  log.debug("SQL read for column lineage", { entity: id, stored, refused });
  return stored;
}

/** Null when there is nothing to read. */
async function readingOf(
  { id, sql, declared, fingerprint, attempts }: facts.SqlFacts,
  { db, reader }: ReadDeps,
): Promise<SqlLineageResult | null> {
  if (sql === null || declared) return null;
  const datasets = await db.query(facts.datasetsOf, [id, maxDatasets + 1]);
  const outputs = datasets.filter(({ written }) => written);
  if (outputs.length === 0) return null;
  if (beyond(datasets)) return refuse("too_many");
  // What ends the process, by its memory, must not do so forever.
  if (attempts >= maxAttempts) return refuse("crashed");
  await db.query(facts.begin, [id, fingerprint]);
  const inputs = datasets.filter(({ written }) => !written);
  const reading = await reader.read({ sql, inputs, outputs });
  return "edges" in reading && reading.edges.length > maxColumnEdges ? refuse("too_many") : reading;
}

const refuse = (refused: Refusal): SqlLineageResult => ({ refused });

function beyond(datasets: SqlDataset[]): boolean {
  return datasets.length > maxDatasets ||
    datasets.reduce((sum, { fields }) => sum + fields.length, 0) > maxSchemaFields;
}

function outcomeOf({ declared }: facts.SqlFacts, reading: SqlLineageResult | null): Outcome {
  if (reading === null) {
    return { edges: [], outcome: declared ? "declared" : "nothing", gaps: [] };
  }
  const gaps = reading.gaps ?? [];
  if ("refused" in reading) return { edges: [], outcome: reading.refused, gaps };
  return { edges: reading.edges, outcome: "read", gaps };
}
