/** What of a change is told to clients that follow the catalogue; they read the rest by its ids. */
export interface ChangeNotice {
  eventType: string;
  entityId: number | null;
  alertId?: number;
  /** Further members of what is told. */
  details?: Record<string, unknown>;
}

/** Changes of one statement beyond which they are told of together, by their types. */
export const maxListedApiece = 100;

/**
 * What is told of these changes: each by itself or, where they are many, how many of each type there are. So a batch
 * of a thousand entities does not tell a thousand times.
 */
export function noticesOf(changes: ChangeNotice[]): ChangeNotice[] {
  if (changes.length <= maxListedApiece) return changes;
  const counts = new Map<string, number>();
  for (const { eventType } of changes) counts.set(eventType, (counts.get(eventType) ?? 0) + 1);
  return [...counts].map(([eventType, count]) => ({
    eventType,
    entityId: null,
    details: { count },
  }));
}

/**
 * SQL that ends a statement which begins with `WITH …`: tells of the changes whose columns (`noticeColumns`) are its
 * parameters from number `first` on. It takes no lock that another writer could wait for.
 */
export function recordNoticesSql(kind: "alert" | "activity", first: number): string {
  const [types, entities, alerts, details] = [0, 1, 2, 3].map((n) => `$${first + n}`);
  return `INSERT INTO change (kind, event_type, entity_id, alert_id, source_id, details)
  SELECT '${kind}', told.event_type, told.entity_id, told.alert_id,
         (SELECT a.data_source_id FROM alert a WHERE a.id = told.alert_id), told.details::jsonb
    FROM unnest(${types}::text[], ${entities}::bigint[], ${alerts}::bigint[], ${details}::text[])
      WITH ORDINALITY AS told (event_type, entity_id, alert_id, details, ordinal)
   ORDER BY told.ordinal`;
}

/** One array per column, as `recordNoticesSql` takes them. */
export function noticeColumns(changes: ChangeNotice[]): unknown[][] {
  const notices = noticesOf(changes);
  return [
    notices.map((one) => one.eventType),
    notices.map((one) => one.entityId),
    notices.map((one) => one.alertId ?? null),
    notices.map((one) => (one.details ? JSON.stringify(one.details) : null)),
  ];
}
