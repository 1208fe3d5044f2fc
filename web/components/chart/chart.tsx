import { Bones } from "#web/kit/states.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import type { ChartProps } from "#web/components/chart/series.ts";

export type { ChartProps, ChartSeries } from "#web/components/chart/series.ts";

/** Values over time. What draws it is loaded when the first chart is shown. */
export const Chart = lazyComponent<ChartProps>(
  () => import("#web/components/chart/chart-view.tsx").then((all) => all.ChartView),
  <Bones lines={8} />,
);
