import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowRight, History } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { readPages, rowsOf } from "#web/api/pages.ts";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { pairOf, VersionPopover } from "#web/features/structure/versions.tsx";
import { t } from "#web/messages/text.ts";

/** Which two versions are compared, each to be changed for another. */
export function ComparedVersions(
  { dataset, older, newer }: { dataset: number; older: number; newer: number },
) {
  const [, change] = useParamsOfView();
  const list = useInfiniteQuery(readPages("/api/datasets/{data_entity_id}/versions", {
    params: { path: { data_entity_id: dataset } },
  }));
  const known = rowsOf<Schema<"DataSetVersion">>(list.data);
  const versionOf = (id: number) => known.find((one) => one.id === id);
  const text = (id: number) => {
    const version = versionOf(id);
    return version
      ? t("structure.version", { version: version.version })
      : t("structure.aVersionOfThePast");
  };
  const choice = (id: number, other: number) => (
    <VersionPopover
      dataset={dataset}
      current={id}
      without={other}
      icon={<History aria-hidden />}
      text={text(id)}
      onPick={(picked) => change({ compare: pairOf(picked.id, other) }, true)}
    />
  );
  return (
    <>
      {choice(older, newer)}
      <ArrowRight aria-label={t("kit.to2")} />
      {choice(newer, older)}
    </>
  );
}
