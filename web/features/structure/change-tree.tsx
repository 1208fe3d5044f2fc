import { CircleMinus, CirclePlus, Equal, Pencil } from "lucide-react";
import { useMemo, useState } from "react";
import { Badge } from "#web/kit/badge.tsx";
import { Checkbox, SearchField } from "#web/kit/field.tsx";
import { count } from "#web/kit/numbers.ts";
import { pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { useTextParam } from "#web/kit/text-param.ts";
import { type TreeColumn, TreeGrid, type TreeGridRow } from "#web/kit/tree-grid.tsx";
import { countsOf, type FieldChange, typeText } from "#web/features/structure/changes.ts";
import { filtered, rowsOfTree, treeOf } from "#web/features/structure/tree.ts";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

interface Line extends TreeGridRow {
  change: FieldChange;
}

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
    cell: ({ change }) => <span className="truncate mono" title={change.name}>{change.name}</span>,
  },
  { name: t("structure.change"), width: "8rem", cell: ({ change }) => <Mark of={change} /> },
  {
    name: t("structure.effect"),
    width: "7rem",
    cell: ({ change }) =>
      change.status === "NO_CHANGES"
        ? null
        : change.breaking
        ? <Badge tone="bad">{t("structure.breaking")}</Badge>
        : <Badge tone="good">{t("structure.safe")}</Badge>,
  },
  {
    name: t("structure.what"),
    width: "minmax(14rem, 3fr)",
    cell: ({ change: { texts, before, after } }) => {
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

/** The rows that are seen, and how to fold one. */
function useChangeRows(changes: FieldChange[], text: string, onlyChanges: boolean) {
  const [closed, setClosed] = useState(new Set<number>());
  const tree = useMemo(() => treeOf(changes, (one) => one), [changes]);
  const lines = useMemo(() => {
    const found = filtered(tree, text, (one) => !onlyChanges || one.status !== "NO_CHANGES");
    return rowsOfTree(found, (id) => closed.has(id)).map(({ node, open, ...place }): Line => ({
      ...place,
      change: node.value,
      open: node.children.length > 0 ? open : undefined,
    }));
  }, [tree, text, onlyChanges, closed]);
  const fold = (id: number) => {
    const now = new Set(closed);
    if (!now.delete(id)) now.add(id);
    setClosed(now);
  };
  return { lines, fold };
}

/** The fields of both versions, or those that changed; which ones, stands in the address. */
export function ChangeTree({ changes }: { changes: FieldChange[] }) {
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
              keyOf={({ change: { id } }) => id}
              nameOf={({ change: { name } }) => name}
              chosen={lines.findIndex(({ change: { id } }) => String(id) === params.field)}
              onChoose={(index) => change({ field: String(lines[index]!.change.id) })}
              onToggle={(index) => fold(lines[index]!.change.id)}
              height={`min(${lines.length * 34 + 36}px, max(20rem, calc(100dvh - 19rem)))`}
            />
          )}
      </div>
    </>
  );
}

/** How many changes there are, by what they do. */
export function ChangeCounts({ of }: { of: FieldChange[] }) {
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
