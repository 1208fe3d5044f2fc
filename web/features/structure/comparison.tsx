import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ArrowLeft, ArrowRight, History } from "lucide-react";
import { useMemo } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { readPages, rowsOf } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Bones, Failure } from "#web/kit/states.tsx";
import { changesOf } from "#web/features/structure/changes.ts";
import { ChangeCounts, ChangeTree } from "#web/features/structure/change-tree.tsx";
import { pairOf, VersionPopover } from "#web/features/structure/versions.tsx";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

/** What became of each field from one version to another. Versions by id. */
export function Comparison(
  { dataset, older, newer }: { dataset: number; older: number; newer: number },
) {
  const [, change] = useParamsOfView();
  const diff = useQuery(read("/api/datasets/{data_entity_id}/structure/diff", {
    params: {
      path: { data_entity_id: dataset },
      query: { first_version_id: older, second_version_id: newer },
    },
  }));
  const changes = useMemo(
    () => diff.data && changesOf(diff.data, older, newer),
    [diff.data, older, newer],
  );
  return (
    <div className={styles.screen}>
      <Toolbar>
        <Button onClick={() => change({ compare: undefined, all: undefined }, true)}>
          <ArrowLeft aria-hidden /> {t("structure.schema")}
        </Button>
        <ComparedVersions dataset={dataset} older={older} newer={newer} />
      </Toolbar>
      {changes
        ? (
          <>
            <ChangeCounts of={changes} />
            <ChangeTree changes={changes} />
          </>
        )
        : diff.error
        ? (
          <Failure
            error={diff.error}
            what={t("structure.comparison")}
            onRetry={() => void diff.refetch()}
          />
        )
        : (
          <Card>
            <Bones lines={10} />
          </Card>
        )}
    </div>
  );
}

/** Which two versions are compared, each to be changed for another. */
function ComparedVersions(
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
