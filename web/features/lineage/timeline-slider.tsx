import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { IconButton } from "#web/kit/button.tsx";
import { exactTime } from "#web/kit/time.tsx";
import type { Change } from "#web/features/lineage/address.ts";
import { momentOf, positionOf, type TimeStep } from "#web/features/lineage/timeline-steps.ts";
import styles from "#web/features/lineage/timeline.module.css";
import { t } from "#web/messages/text.ts";

/** Milliseconds for which the slider rests before the drawing follows it. */
const idleMs = 250;

/** A position after each change, and one before the first; the last is now. */
export function TimelineSlider(
  { steps, asOf, change, children }: {
    steps: TimeStep[];
    asOf: string | null;
    change: Change;
    /** Next to the text for the position of the slider. */
    children: ReactNode;
  },
) {
  const [dragged, setDragged] = useState<number>();
  const shown = Math.min(dragged ?? positionOf(steps, asOf), steps.length);
  useEffect(() => {
    if (dragged === undefined) return;
    const timer = setTimeout(() => {
      const moment = momentOf(steps, dragged);
      setDragged(undefined);
      change({ asOf: moment, steps: [], selected: [], ...(moment === null && { compare: false }) });
    }, idleMs);
    return () => clearTimeout(timer);
  }, [dragged, steps]);
  const text = describe(steps, shown);
  return (
    <>
      <div className={styles.slider}>
        <IconButton
          label={t("lineage.earlierChange")}
          small
          disabled={shown === 0}
          onClick={() => setDragged(shown - 1)}
        >
          <ChevronLeft />
        </IconButton>
        <div className={styles.track}>
          <Bars steps={steps} shown={shown} />
          <input
            type="range"
            aria-label={t("lineage.pointInTime")}
            aria-valuetext={text}
            min={0}
            max={steps.length}
            step={1}
            value={shown}
            onChange={({ target }) => setDragged(Number(target.value))}
          />
        </div>
        <IconButton
          label={t("lineage.laterChange")}
          small
          disabled={shown === steps.length}
          onClick={() => setDragged(shown + 1)}
        >
          <ChevronRight />
        </IconButton>
      </div>
      <p className={styles.told}>
        <span aria-hidden>{text}</span> {children}
      </p>
    </>
  );
}

/** Where the slider is, in words. */
function describe(steps: readonly TimeStep[], shown: number): string {
  const step = steps[shown - 1];
  if (!step) return t("lineage.beforeTheseChanges");
  const { came, left } = step;
  const what = came > 0 && left > 0
    ? t("lineage.edgesCameAndLeft", { came, left })
    : came > 0
    ? t("lineage.edgesCame", { count: came })
    : t("lineage.edgesLeft", { count: left });
  const values = { time: exactTime(step.at), what };
  return shown === steps.length ? t("lineage.nowLast", values) : t("lineage.afterTime", values);
}

/** What came stands up, what left hangs down; what is ahead of the drawing is pale. */
function Bars({ steps, shown }: { steps: readonly TimeStep[]; shown: number }) {
  const max = steps.reduce((max, { came, left }) => Math.max(max, came, left), 1);
  const height = (value: number) =>
    value === 0 ? 0 : Math.max(3, 14 * Math.log1p(value) / Math.log1p(max));
  const x = (at: number) => `${((at + 1) / steps.length) * 100}%`;
  return (
    <svg className={styles.bars} aria-hidden>
      {steps.map(({ at, came, left }, index) => (
        <g key={at} opacity={index < shown ? 1 : 0.4}>
          <line
            x1={x(index)}
            x2={x(index)}
            y1={15}
            y2={15 - height(came)}
            className={styles.came}
          />
          <line
            x1={x(index)}
            x2={x(index)}
            y1={17}
            y2={17 + height(left)}
            className={styles.left}
          />
        </g>
      ))}
    </svg>
  );
}
