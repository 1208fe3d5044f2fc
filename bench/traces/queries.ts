/** Number of spans that the workers have counted, and of the edges they created. */
export const reflected = `
  SELECT coalesce(sum(read), 0)::bigint AS read, coalesce(sum(paired), 0)::bigint AS paired,
         coalesce(sum(waiting), 0)::bigint AS waiting
    FROM span_checkpoint`;

export const edges = "SELECT count(*)::bigint AS edges FROM service_edge";
