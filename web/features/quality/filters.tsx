import { X } from "lucide-react";
import { Button } from "#web/kit/button.tsx";
import { FilterSheet } from "#web/kit/filter-sheet.tsx";
import { Toolbar } from "#web/kit/page.tsx";
import { idsOf, useParamsOfView } from "#web/kit/search-params.ts";
import { FacetFilter } from "#web/components/facet-filter.tsx";
import { facets, nameOf } from "#web/features/quality/view.ts";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

const sides = [
  ["tests", "kit.tests", "quality.testsThatCount"],
  ["datasets", "quality.datasets", "quality.datasetsThatCount"],
] as const;
const names = sides.flatMap(([of]) => facets.map(({ kind }) => nameOf(kind, of)));

/** Which tests count, and which datasets. */
export function Filters() {
  const [params, change] = useParamsOfView();
  return (
    <FilterSheet set={names.filter((name) => params[name]).length}>
      <div className={styles.filters}>
        {sides.map(([of, text, label]) => (
          <div key={of} role="group" aria-label={t(label)}>
            <Toolbar>
              <span className={styles.side}>{t(text)}</span>
              {facets.map(({ kind, label }) => (
                <FacetFilter
                  key={kind}
                  kind={kind}
                  label={t(label)}
                  ids={idsOf(params[nameOf(kind, of)])}
                  onIds={(ids) => change({ [nameOf(kind, of)]: ids.join(",") })}
                />
              ))}
            </Toolbar>
          </div>
        ))}
        {names.some((name) => params[name]) && (
          <Button
            variant="quiet"
            onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            <X aria-hidden />
            {t("quality.clear")}
          </Button>
        )}
      </div>
    </FilterSheet>
  );
}
