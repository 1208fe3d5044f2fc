import { Filter } from "lucide-react";
import { useMemo } from "react";
import { Button } from "#web/kit/button.tsx";
import { Checkbox } from "#web/kit/field.tsx";
import { count, words } from "#web/kit/numbers.ts";
import { Popover } from "#web/kit/popover.tsx";
import { classOf } from "#web/graph/icons.ts";
import type { Model } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import type { LineageState } from "#web/features/lineage/address.ts";
import { anyFilter, type Filters } from "#web/features/lineage/highlight.ts";
import styles from "#web/features/lineage/extras.module.css";
import { t } from "#web/messages/text.ts";

/** What is not asked for fades; it stays where it is, and so do the paths over it. */
export function FilterMenu(
  { model, filters, onChange }: {
    model: Model;
    filters: Filters;
    onChange: (change: Partial<LineageState>) => void;
  },
) {
  const { classes, sources } = useMemo(() => countsOf(model), [model]);
  const set = filters.classes.length + filters.sources.length + (filters.alertsOnly ? 1 : 0);
  return (
    <Popover
      trigger={
        <Button>
          <Filter aria-hidden />
          {t("lineage.filterButton")}
          {set > 0 && ` (${set})`}
        </Button>
      }
    >
      <div className={styles.filters}>
        <Checkbox
          label={t("lineage.withOpenAlerts")}
          checked={filters.alertsOnly}
          onChange={() => onChange({ alertsOnly: !filters.alertsOnly })}
        />
        <fieldset>
          <legend>{t("kit.category")}</legend>
          {classes.map(({ name, number }) => (
            <Checkbox
              key={name}
              label={`${words(name)} (${count(number)})`}
              checked={filters.classes.includes(name)}
              onChange={() => onChange({ classes: toggled(filters.classes, name) })}
            />
          ))}
        </fieldset>
        {sources.length > 0 && (
          <fieldset>
            <legend>{t("lineage.source")}</legend>
            {sources.slice(0, 30).map(({ id, name, number }) => (
              <Checkbox
                key={id}
                label={`${shown(name)} (${count(number)})`}
                checked={filters.sources.includes(id)}
                onChange={() => onChange({ sources: toggled(filters.sources, id) })}
              />
            ))}
          </fieldset>
        )}
        <Button
          small
          disabled={!anyFilter(filters)}
          onClick={() => onChange({ classes: [], sources: [], alertsOnly: false })}
        >
          {t("lineage.showAll")}
        </Button>
      </div>
    </Popover>
  );
}

function toggled<T>(list: T[], one: T): T[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}

function countsOf(model: Model) {
  const nodes = [...model.nodes.values()];
  const classes = [...Map.groupBy(nodes, classOf)].sort((a, b) => b[1].length - a[1].length);
  const sources = Map.groupBy(nodes.flatMap(({ source }) => source ?? []), ({ id }) => id);
  return {
    classes: classes.map(([name, of]) => ({ name, number: of.length })),
    sources: [...sources.values()].map((of) => ({ ...of[0]!, number: of.length }))
      .sort((a, b) => b.number - a.number),
  };
}
