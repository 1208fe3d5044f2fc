import type { Schema } from "#web/api/client.ts";
import { ChipRow } from "#web/kit/badge.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { t } from "#web/messages/text.ts";

/** Datasets of a test that are listed; the rest is counted. */
const max = 2;

/** What a test tests. */
export function Tested({ by }: { by: Schema<"DataEntity"> }) {
  const datasets = by.datasets_list ?? [];
  const rest = (by.datasets_list_total ?? datasets.length) - max;
  return (
    <ChipRow>
      {datasets.slice(0, max).map((one) => <EntityLink key={one.id} of={one} tab="tests" />)}
      {rest > 0 && <span className="soft">{t("quality.andMore", { count: rest })}</span>}
    </ChipRow>
  );
}
