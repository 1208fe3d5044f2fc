import { entityClasses } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { gapCondition } from "#services/api/features/search/service.ts";

export interface CoverageRow {
  datasets: number;
  without_owner: number;
  without_description: number;
  without_tests: number;
}

// The same datasets as a search without words finds, by the same conditions, so that a link to it shows as many.
const coverage = statement<CoverageRow>("entity-coverage")`
  SELECT count(*) AS datasets,
         count(*) FILTER (WHERE ${gapCondition("NO_OWNER")}) AS without_owner,
         count(*) FILTER (WHERE ${gapCondition("NO_DESCRIPTION")}) AS without_description,
         count(*) FILTER (WHERE ${gapCondition("NO_TESTS")}) AS without_tests
    FROM data_entity e
   WHERE NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
     AND e.class_ids @> ARRAY[${entityClasses.DATA_SET}]::smallint[]`;

/** How many datasets lack what. */
export async function readCoverage(db: Queryable): Promise<CoverageRow> {
  return (await db.query(coverage))[0]!;
}
