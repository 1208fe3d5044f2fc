import type { Schema } from "#web/api/client.ts";
import { classes } from "#web/kit/classes.ts";
import { plural, words } from "#web/kit/numbers.ts";
import { exactTime } from "#web/kit/time.tsx";
import { runStatusStyles } from "#web/components/run-status.tsx";
import { durationOf, durationText, heightsOf } from "#web/features/quality/runs.ts";
import { toneClass } from "#web/kit/tones.ts";
import styles from "#web/features/quality/quality.module.css";

type Run = Schema<"DataEntityRun">;

/** Bars are at most so wide, in hundredths of a step, of a drawing that has at least so many steps. */
const fewest = 30;
const height = 100;

/** A bar for each run, the oldest left: as high as it took long, in the colour of its status. The table below says the same. */
export function RunBars({ runs }: { runs: Run[] }) {
  const shown = runs.toReversed();
  const heights = heightsOf(shown);
  const steps = Math.max(fewest, shown.length);
  const failed = shown.filter(({ status }) => status === "FAILED" || status === "BROKEN").length;
  return (
    <svg
      className={styles.runs}
      viewBox={`0 0 ${steps * 10} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Durations of ${plural(shown.length, "run")}, ${failed} failed or broken`}
    >
      {shown.map((run, at) => (
        <rect
          key={run.id}
          x={(steps - shown.length + at) * 10 + 1}
          width={8}
          y={height - heights[at]! * height}
          height={heights[at]! * height}
          className={classes(styles.fill, toneClass(runStatusStyles[run.status].tone))}
        >
          <title>{textOf(run)}</title>
        </rect>
      ))}
    </svg>
  );
}

function textOf(run: Run): string {
  const took = durationOf(run);
  const at = run.end_time ?? run.start_time;
  return [words(run.status), took !== undefined && durationText(took), at && exactTime(at)]
    .filter(Boolean).join(", ");
}
