import { connectionsDashboard } from "./connections.ts";
import { datahubDashboard } from "./datahub.ts";
import { httpDashboard } from "./http.ts";
import { ingestionDashboard } from "./ingestion.ts";
import { lineageDashboard } from "./lineage.ts";
import { notificationsDashboard } from "./notifications.ts";
import { openlineageDashboard } from "./openlineage.ts";
import { overviewDashboard } from "./overview.ts";
import type { Dashboard, Panel } from "./panel.ts";
import { tracesDashboard } from "./traces.ts";

/** Every dashboard, by the name of its file. */
export const dashboards: Record<string, Dashboard> = {
  overview: overviewDashboard,
  ingestion: ingestionDashboard,
  lineage: lineageDashboard,
  openlineage: openlineageDashboard,
  datahub: datahubDashboard,
  connections: connectionsDashboard,
  notifications: notificationsDashboard,
  traces: tracesDashboard,
  http: httpDashboard,
};

const dataSource = { type: "prometheus", uid: "prometheus" };
const [columns, width, height] = [2, 12, 8];

/** The files that Grafana is provisioned with, by their paths. */
export function dashboardFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dashboards).map(([name, dashboard]) => [
      `ops/grafana/dashboards/${name}.json`,
      `${JSON.stringify(provisioned(dashboard), null, 2)}\n`,
    ]),
  );
}

function provisioned({ uid, title, panels }: Dashboard): object {
  return {
    uid,
    title,
    tags: ["tributary"],
    timezone: "browser",
    schemaVersion: 39,
    version: 1,
    refresh: "10s",
    time: { from: "now-1h", to: "now" },
    links: [{ type: "dashboards", tags: ["tributary"], title: "Tributary", asDropdown: true }],
    panels: panels.map(placed),
  };
}

function placed({ title, unit, queries }: Panel, at: number): object {
  const place = { x: at % columns * width, y: Math.floor(at / columns) * height };
  return {
    id: at + 1,
    title,
    type: "timeseries",
    datasource: dataSource,
    gridPos: { ...place, w: width, h: height },
    fieldConfig: {
      defaults: { unit, ...(unit === "dateTimeAsIso" ? {} : { min: 0 }) },
      overrides: [],
    },
    targets: queries.map(({ expr, legend }, i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: dataSource,
      expr,
      legendFormat: legend,
    })),
  };
}
