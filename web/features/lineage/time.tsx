import { GitCompareArrows, History, SlidersHorizontal, Undo2 } from "lucide-react";
import { useState } from "react";
import { Badge, ChipRow } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { TextField } from "#web/kit/field.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { Popover } from "#web/kit/popover.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { exactTime } from "#web/kit/time.tsx";
import { lineChanges } from "#web/graph/further-answers.ts";
import type { Model } from "#web/graph/model.ts";
import { fromLocalInput, toLocalInput } from "#web/components/time-fields.tsx";
import type { Change, LineageState } from "#web/features/lineage/address.ts";
import { daysOf } from "#web/features/lineage/timeline-steps.ts";
import styles from "#web/features/lineage/time.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

const presets: readonly (readonly [text: PlainKey, days: number])[] = [
  ["lineage.sinceYesterday", 1],
  ["lineage.sevenDays", 7],
  ["lineage.thirtyDays", 30],
];
const dayMs = 86_400_000;

/** Leads to a slider over the times at which the drawing changed. */
function ShowTimeline({ onShow }: { onShow: () => void }) {
  const [{ timeline }, setParams] = useParamsOfView();
  if (timeline !== undefined) return null;
  return (
    <Button
      small
      onClick={() => {
        onShow();
        setParams({ timeline: "30" }, true);
      }}
    >
      <SlidersHorizontal aria-hidden />
      {t("lineage.stepThroughTheChanges")}
    </Button>
  );
}

/** Chooses the time since which changes are drawn, or as of which the drawing is; what was opened from a box of another time goes. */
export function TimeMenu(
  { asOf, members, change }: Pick<LineageState, "asOf" | "members"> & { change: Change },
) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const chosen = fromLocalInput(text);
  const ahead = chosen !== undefined && Date.parse(chosen) > Date.now();
  const show = (moment: string, compare: boolean) => {
    setOpen(false);
    change({ asOf: moment, compare, steps: [], selected: [] }, true);
  };
  return (
    <Popover
      label={t("lineage.whatChanged")}
      open={open}
      onOpenChange={(next) => {
        setText(toLocalInput(asOf === null ? new Date() : new Date(asOf)));
        setOpen(next);
      }}
      trigger={
        <Button aria-pressed={asOf !== null}>
          <History aria-hidden />
          {t("lineage.whatChanged")}
        </Button>
      }
    >
      <form
        className={styles.time}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen && !ahead) show(chosen, !members);
        }}
      >
        <div className={styles.presets}>
          <Presets onMoment={(moment) => show(moment, !members)} />
          <ShowTimeline onShow={() => setOpen(false)} />
        </div>
        <TextField
          label={t("lineage.dateAndTime")}
          type="datetime-local"
          value={text}
          error={ahead ? t("lineage.timeIsInTheFuture") : undefined}
          onChange={({ target }) => setText(target.value)}
        />
        <ShowButtons
          disabled={!chosen || ahead}
          canCompare={!members}
          onThen={() => show(chosen!, false)}
        />
      </form>
    </Popover>
  );
}

function Presets({ onMoment }: { onMoment: (moment: string) => void }) {
  return presets.map(([name, days]) => (
    <Button
      key={name}
      small
      onClick={() => onMoment(new Date(Date.now() - days * dayMs).toISOString())}
    >
      {t(name)}
    </Button>
  ));
}

/** What to do with the time that was chosen; among the members of a group two times cannot be compared. */
function ShowButtons(
  { disabled, canCompare, onThen }: { disabled: boolean; canCompare: boolean; onThen: () => void },
) {
  return (
    <div className={styles.presets}>
      <Button disabled={disabled} onClick={onThen}>{t("lineage.showTheGraphOfThen")}</Button>
      {canCompare && (
        <Button type="submit" variant="primary" disabled={disabled}>
          {t("lineage.showWhatChanged")}
        </Button>
      )}
    </div>
  );
}

const Timeline = lazyComponent(
  () => import("#web/features/lineage/timeline.tsx").then((all) => all.Timeline),
  <div className={styles.timeroom} />,
);

/** Of what time the drawing is, when it is not of now; and the changes in time, when they are shown. */
export function TimeBanner(
  { state, change, model }: { state: LineageState; change: Change; model: Model },
) {
  const [params] = useParamsOfView();
  const { asOf } = state;
  const days = daysOf(params.timeline);
  return (
    <>
      {days !== null && <Timeline {...{ days, asOf, model, change }} />}
      {asOf !== null && <PastBanner {...state} {...{ asOf, change }} />}
    </>
  );
}

/** Says that the drawing is not of now, and what its signs mean where two times are compared. */
function PastBanner(
  { asOf, compare, members, change }:
    & Pick<LineageState, "compare" | "members">
    & { asOf: string; change: Change },
) {
  return (
    <div className={styles.then} role="region" aria-label={t("lineage.pointInTime")}>
      <History aria-hidden />
      <span role="status">
        <Rich
          of={compare && !members ? "lineage.changedSince" : "lineage.recordedOn"}
          values={{ time: <time dateTime={asOf}>{exactTime(asOf)}</time> }}
        />
      </span>
      {compare && !members && <Legend />}
      {!members && (
        <Button
          small
          aria-pressed={compare}
          onClick={() => change({ compare: !compare, steps: [], selected: [] }, true)}
        >
          <GitCompareArrows aria-hidden />
          {t("lineage.compareWithNow")}
        </Button>
      )}
      <Button
        small
        onClick={() => change({ asOf: null, compare: false, steps: [], selected: [] }, true)}
      >
        <Undo2 aria-hidden />
        {t("lineage.backToNow")}
      </Button>
    </div>
  );
}

function Legend() {
  return (
    <ChipRow>
      <Badge tone="good">
        <Rich of="lineage.added2" values={{ sign: lineChanges.added.sign }} />
      </Badge>
      <Badge tone="bad">
        <Rich of="lineage.removed2" values={{ sign: lineChanges.removed.sign }} />
      </Badge>
      <Badge tone="info">
        <Rich
          of="lineage.thereAtBoth"
          values={{ sign: lineChanges.reached.sign, sign2: lineChanges.unreached.sign }}
        />
      </Badge>
    </ChipRow>
  );
}
