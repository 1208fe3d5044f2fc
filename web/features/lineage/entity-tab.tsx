import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { Empty } from "#web/kit/states.tsx";
import { Lineage } from "#web/features/lineage/lineage.tsx";
import { t } from "#web/messages/text.ts";

/** The lineage of one entity. */
export function LineageTab() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const number = Number(id);
  const roots = useMemo(() => [number], [number]);
  if (!Number.isSafeInteger(number) || number < 1) {
    return <Empty title={t("lineage.assetNotFound")} />;
  }
  return <Lineage key={number} roots={roots} tab />;
}
