/** One bound on what a request, message or record may cost; a row of `docs/limits.md`. */
export interface Limit {
  /** Where foreign bytes come in: `POST /ingestion/entities`, `OTLP over HTTP`, `every HTTP request`. */
  entrance: string;
  /** What is bounded, with its unit: `body, bytes`, `items`, `nesting`. */
  bounds: string;
  /** The bound itself, or the configuration key that sets it. */
  limit: number | { key: string };
  /** What somebody gets who goes beyond: a status, a dead letter with its reason, a shorter text. */
  beyond: string;
}

/** A row whose limit is a number; beyond it a client gets 400 unless told. */
export function limit(entrance: string, bounds: string, most: number, beyond = "400"): Limit {
  return { entrance, bounds, limit: most, beyond };
}
