/** The part of a change that is sent to clients that follow the catalogue; they read the rest by its ids. */
interface ChangeNotice {
  eventType: string;
  entityId: number | null;
  alertId?: number;
  /** Further members of the notice. */
  details?: Record<string, unknown>;
}

/** Changes of one statement beyond which they are summarized by type. */
export const maxListedApiece = 100;

/**
 * Notices of these changes: one each or, if there are many, one per type with a count. So a batch
 * of a thousand entities does not send a thousand notices.
 */
function noticesOf(changes: ChangeNotice[]): ChangeNotice[] {
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
 * SQL that ends a statement which begins with `WITH …`: records the changes whose columns (`noticeColumns`) are its
 * parameters from number `first` on. It takes no lock that another writer could wait for.
 */
export function recordNoticesSql(kind: "alert" | "activity", first: number): string {
  const [types, entities, alerts, details] = [0, 1, 2, 3].map((n) => `$${first + n}`);
  return `INSERT INTO change (kind, event_type, entity_id, alert_id, source_id, details)
  SELECT '${kind}', reported.event_type, reported.entity_id, reported.alert_id,
         (SELECT a.data_source_id FROM alert a WHERE a.id = reported.alert_id), reported.details::jsonb
    FROM unnest(${types}::text[], ${entities}::bigint[], ${alerts}::bigint[], ${details}::text[])
      WITH ORDINALITY AS reported (event_type, entity_id, alert_id, details, ordinal)
   ORDER BY reported.ordinal`;
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
