import type { AlertSeverity } from "#contract/catalogue/alerts.ts";

/** What depends on something that fails. */
export interface Affected {
  /** Assets of any kind. */
  total: number;
  /** Dashboards and others that people read. */
  consumers: number;
}

/** So many consumers make an alert critical, and so many assets without any. */
const critical = { consumers: 5, total: 100 };
const high = { consumers: 1, total: 20 };

/** How urgent an alert is: first by whom it reaches (consumers), then by how much. */
export function severityOf({ total, consumers }: Affected): AlertSeverity {
  if (consumers >= critical.consumers || total >= critical.total) return "CRITICAL";
  if (consumers >= high.consumers || total >= high.total) return "HIGH";
  return total > 0 ? "MEDIUM" : "LOW";
}
