import type { Queryable } from "#metadata/postgres/database.ts";

const stem = "mean_of_the_measurement_of_the_instrument_in_the_northern_hall_before_calibration_";

/** The name of the n-th column of a wide dataset: about 150 bytes, unique except for the number. */
export const wideName = (n: number) => `${stem}${n}_rawReading${n}Celsius${n}`;

/** Gives a dataset a structure of so many columns, each with a description. */
export async function seedWide(db: Queryable, dataset: number, columns: number): Promise<void> {
  await db.query(
    `WITH v (v) AS (
       SELECT coalesce(max(version), 0) + 1 FROM dataset_version WHERE dataset_id = $1),
     f AS (
       INSERT INTO dataset_field (dataset_id, catrn, name, type, is_nullable, hash, external_description)
       SELECT $1, concat_ws('/', '//wide', $1::bigint, v, n),
              concat($3::text, n, '_rawReading', n, 'Celsius', n), 'TYPE_STRING', true, '', 'described' || n
         FROM generate_series(1, $2::int) n, v RETURNING id)
     INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
     SELECT $1, v, v::text, array_agg(f.id ORDER BY f.id) FROM f, v GROUP BY v`,
    [dataset, columns, stem],
  );
}
