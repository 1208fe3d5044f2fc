import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useMemo } from "react";
import { IconButton } from "#web/kit/button.tsx";
import { SelectField } from "#web/kit/field.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { exactTime } from "#web/kit/time.tsx";
import type { Model } from "#web/graph/model.ts";
import type { Change } from "#web/features/lineage/address.ts";
import { type Changes, idsSeen, readChanges } from "#web/features/lineage/timeline-changes.ts";
import { periods } from "#web/features/lineage/timeline-days.ts";
import { TimelineSlider } from "#web/features/lineage/timeline-slider.tsx";
import { stepsOf } from "#web/features/lineage/timeline-steps.ts";
import styles from "#web/features/lineage/timeline.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

interface Props {
  asOf: string | null;
  model: Model;
  change: Change;
}

/** Steps through the times at which edges of the drawing came and went. */
export function Timeline({ days, ...props }: Props & { days: number }) {
  const [, setParams] = useParamsOfView();
  const query = useQuery(readChanges(days));
  return (
    <section className={styles.timeline} aria-label={t("lineage.changesInTime")}>
      <div className={styles.controls}>
        <SelectField
          label={t("lineage.period")}
          hideLabel
          value={String(days)}
          options={periods.map((one) => [String(one), t("lineage.inTheLastDays", { count: one })])}
          onChange={({ target }) => setParams({ timeline: target.value })}
        />
        <IconButton
          label={t("lineage.closeTheChanges")}
          small
          onClick={() => setParams({ timeline: undefined })}
        >
          <X />
        </IconButton>
      </div>
      <div className={styles.room}>
        <Shown of={query} what={t("lineage.changes2")} bones={2}>
          {(changes) => <Steps key={days} {...props} changes={changes} />}
        </Shown>
      </div>
    </section>
  );
}

function Steps({ asOf, model, change, changes }: Props & { changes: Changes }) {
  const [params] = useParamsOfView();
  const { id } = useParams({ strict: false });
  const queries = useQueryClient();
  const steps = useMemo(
    () => stepsOf(changes.items, idsSeen(queries, String(id ?? params.ids), model.nodes.keys())),
    [changes, queries, id, params.ids, model],
  );
  const since = exactTime(changes.from);
  if (steps.length === 0) {
    return (
      <p className="soft">
        <Rich of="lineage.noEdgeChanged" values={{ since }} />
      </p>
    );
  }
  return (
    <TimelineSlider steps={steps} asOf={asOf} change={change}>
      <span className="soft">
        {changes.whole
          ? t("lineage.changesSince", { count: steps.length, since })
          : t("lineage.someChangesSince", { count: steps.length, since })}
      </span>
    </TimelineSlider>
  );
}
