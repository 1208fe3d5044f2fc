/** An upper bound on what a request, message or record may cost; a row of `docs/reference/limits.md`. */
export interface Limit {
  /** Where external input arrives: `POST /ingestion/entities`, `OTLP over HTTP`, `every HTTP request`. */
  entrance: string;
  /** What is bounded, with its unit: `body, bytes`, `items`, `nesting`. */
  bounds: string;
  /** The limit itself, or the configuration key that sets it. */
  limit: number | { key: string };
  /** What happens beyond the limit: a status, a dead letter with its reason, a shortened text. */
  beyond: string;
}

/** A row; by default a client that exceeds the limit gets 400. */
export function limit(
  entrance: string,
  bounds: string,
  max: Limit["limit"],
  beyond = "400",
): Limit {
  return { entrance, bounds, limit: max, beyond };
}
