import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  ArrowLeft,
  ArrowRight,
  CircleMinus,
  CirclePlus,
  Equal,
  History,
  Pencil,
} from "lucide-react";
import { useMemo, useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { readPages, rowsOf } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { Card, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView, useTextParam } from "#web/kit/search-params.ts";
import { Bones, Empty, Pending } from "#web/kit/states.tsx";
import { Badge } from "#web/kit/badge.tsx";
import { Checkbox, SearchField } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import { type TreeColumn, TreeGrid } from "#web/kit/tree-grid.tsx";
import {
  changesOf,
  countsOf,
  type FieldChange,
  typeText,
} from "#web/features/structure/changes.ts";
import { pairOf, VersionPopover } from "#web/features/structure/versions.tsx";
import { filtered, rowsOfTree, treeOf, type TreeRow } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

/** What became of each field from one version to another. Versions by id. */
export function Comparison(
  { dataset, older, newer }: { dataset: number; older: number; newer: number },
) {
  const [, change] = useParamsOfView();
  const diff = useQuery(
    read("/api/datasets/{data_entity_id}/structure/diff", {
      path: { data_entity_id: dataset },
      query: { first_version_id: older, second_version_id: newer },
    }),
  );
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
        ? <Pending of={diff} what={t("structure.comparison")} />
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
  const list = useInfiniteQuery(
    readPages("/api/datasets/{data_entity_id}/versions", { path: { data_entity_id: dataset } }),
  );
  const known = rowsOf<Schema<"DataSetVersion">>(list.data);
  const text = (id: number) => {
    const version = known.find((one) => one.id === id);
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

type Line = TreeRow<FieldChange>;

const changeStyles = {
  CREATED: { icon: CirclePlus, text: "structure.added" },
  DELETED: { icon: CircleMinus, text: "structure.removed" },
  UPDATED: { icon: Pencil, text: "structure.changed" },
  NO_CHANGES: { icon: Equal, text: "structure.same" },
} as const;

const columns = (): TreeColumn<Line>[] => [
  {
    name: t("structure.field"),
    width: "minmax(14rem, 2fr)",
    cell: ({ node: { name } }) => <span className="truncate mono" title={name}>{name}</span>,
  },
  { name: t("structure.change"), width: "8rem", cell: ({ node }) => <Mark of={node.value} /> },
  {
    name: t("structure.effect"),
    width: "7rem",
    cell: ({ node: { value: change } }) =>
      change.status === "NO_CHANGES"
        ? null
        : change.breaking
        ? <Badge tone="bad">{t("structure.breaking")}</Badge>
        : <Badge tone="good">{t("structure.safe")}</Badge>,
  },
  {
    name: t("structure.what"),
    width: "minmax(14rem, 3fr)",
    cell: ({ node: { value: { texts, before, after } } }) => {
      const text = texts.join("; ") || typeText((after ?? before)!.type);
      return <div className="truncate" title={text}>{text}</div>;
    },
  },
];

function Mark({ of: { status } }: { of: FieldChange }) {
  const { icon: Icon, text } = changeStyles[status];
  return (
    <span className={styles.name}>
      <Icon aria-hidden /> {t(text)}
    </span>
  );
}

function useChangeRows(changes: FieldChange[], text: string, onlyChanges: boolean) {
  const [closed, setClosed] = useState(new Set<number>());
  const tree = useMemo(() => treeOf(changes, (one) => one), [changes]);
  const lines = useMemo(() => {
    const found = filtered(tree, text, (one) => !onlyChanges || one.status !== "NO_CHANGES");
    return rowsOfTree(found, (id) => closed.has(id));
  }, [tree, text, onlyChanges, closed]);
  const fold = (id: number) => {
    const now = new Set(closed);
    if (!now.delete(id)) now.add(id);
    setClosed(now);
  };
  return { lines, fold };
}

/** The fields of both versions, or those that changed; which ones, stands in the address. */
function ChangeTree({ changes }: { changes: FieldChange[] }) {
  const [params, change] = useParamsOfView();
  const [text, setText] = useTextParam("find");
  const onlyChanges = params.all !== "yes";
  const { lines, fold } = useChangeRows(changes, text, onlyChanges);
  return (
    <>
      <Toolbar>
        <SearchField
          label={t("structure.findAField")}
          className={pageStyles.grow}
          value={text}
          onValue={setText}
        />
        <Checkbox
          label={t("structure.onlyChanges")}
          checked={onlyChanges}
          onChange={({ target }) => change({ all: target.checked ? undefined : "yes" })}
        />
      </Toolbar>
      <div className={styles.tree}>
        {lines.length === 0
          ? (
            <Empty title={text ? t("structure.noFieldHasThisName") : t("structure.nothingChanged")}>
              {!text && t("structure.bothVersionsHaveTheSame")}
            </Empty>
          )
          : (
            <TreeGrid
              label={t("structure.fieldsOfBothVersions")}
              columns={columns()}
              rows={lines}
              keyOf={({ node }) => node.id}
              nameOf={({ node }) => node.name}
              chosen={lines.findIndex(({ node }) => String(node.id) === params.field)}
              onChoose={(index) => change({ field: String(lines[index]!.node.id) })}
              onToggle={(index) => fold(lines[index]!.node.id)}
              height={`min(${lines.length * 34 + 36}px, max(20rem, calc(100dvh - 19rem)))`}
            />
          )}
      </div>
    </>
  );
}

function ChangeCounts({ of }: { of: FieldChange[] }) {
  const counts = useMemo(() => countsOf(of), [of]);
  return (
    <div className={pageStyles.toolbar} role="status">
      <Badge tone={counts.breaking > 0 ? "bad" : "neutral"}>
        {t("structure.breakingChanges", { breaking: counts.breaking })}
      </Badge>
      <Badge tone={counts.safe > 0 ? "good" : "neutral"}>
        {t("structure.safeChanges", { safe: counts.safe })}
      </Badge>
      <span className="soft">
        {t("structure.addedRemovedChangedTheSame", {
          created: count(counts.created),
          deleted: count(counts.deleted),
          updated: count(counts.updated),
          same: count(counts.same),
        })}
      </span>
    </div>
  );
}
