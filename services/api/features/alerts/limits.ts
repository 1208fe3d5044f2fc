import { maxAlertImpacts } from "#contract/catalogue/alerts.ts";
import { limit } from "#kit/limits.ts";

/** What is counted for one alert at most: severity is the worst long before that. */
export const maxCounted = 1_000;

/** Limits on requests for alerts. */
export const alertLimits = [
  limit("GET /api/alerts/impact", "alerts in one request", maxAlertImpacts),
  limit(
    "GET /api/alerts/impact",
    "assets and levels counted for an alert",
    maxCounted,
    "the response says that there are more",
  ),
];
