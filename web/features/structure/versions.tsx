import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronDown, GitCompareArrows, History } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Schema } from "#web/api/client.ts";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import { Button } from "#web/kit/button.tsx";
import { count } from "#web/kit/numbers.ts";
import { Popover } from "#web/kit/popover.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Pending } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

type Version = Schema<"DataSetVersion">;

/** Which state is shown: the newest, or one of the past. */
export function VersionChoice(
  { dataset, version, historic }: { dataset: number; version: Version; historic: boolean },
) {
  const [, change] = useParamsOfView();
  return (
    <VersionPopover
      dataset={dataset}
      current={version.id}
      icon={<History aria-hidden />}
      text={textOf(version, !historic)}
      onPick={({ id }, newest) =>
        change({ version: newest ? undefined : String(id), field: undefined }, true)}
    />
  );
}

export function CompareChoice({ dataset, version }: { dataset: number; version: Version }) {
  const [, change] = useParamsOfView();
  return (
    <VersionPopover
      dataset={dataset}
      without={version.id}
      icon={<GitCompareArrows aria-hidden />}
      text={t("structure.compareWith")}
      onPick={(other) => change({ compare: pairOf(version.id, other.id) }, true)}
    />
  );
}

/** `older-newer`, as it stands in the address: a later version has a greater id. */
export function pairOf(one: number, other: number): string {
  return `${Math.min(one, other)}-${Math.max(one, other)}`;
}

/** A button with the versions of a dataset behind it, the newest first. */
export function VersionPopover(
  { icon, text, onPick, ...shown }: VersionsProps & { icon: ReactNode; text: string },
) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          {icon} {text} <ChevronDown aria-hidden />
        </Button>
      }
    >
      <Versions
        {...shown}
        onPick={(version, newest) => {
          setOpen(false);
          onPick(version, newest);
        }}
      />
    </Popover>
  );
}

interface VersionsProps {
  dataset: number;
  current?: number;
  without?: number;
  onPick: (version: Version, newest: boolean) => void;
}

function Versions({ dataset, current, without, onPick }: VersionsProps) {
  const list = useInfiniteQuery(
    readPages("/api/datasets/{data_entity_id}/versions", { path: { data_entity_id: dataset } }),
  );
  if (!list.data) {
    return (
      <div className={styles.versions}>
        <Pending of={list} what={t("structure.listOfVersions")} bones={4} />
      </div>
    );
  }
  const versions = rowsOf<Version>(list.data);
  return (
    <div className={styles.versions}>
      {versions.map((version, at) =>
        version.id !== without && (
          <button
            key={version.id}
            type="button"
            className={styles.version}
            aria-current={version.id === current}
            onClick={() => onPick(version, at === 0)}
          >
            <span>{textOf(version, at === 0)}</span>
            <span className="soft">
              <Time at={version.created_at} />
            </span>
          </button>
        )
      )}
      {versions.length === 1 && (
        <p className="soft">
          {t("structure.thereIsNoOtherVersion")}
        </p>
      )}
      <More
        shown={versions.length}
        total={totalOf(list.data)}
        hasNext={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </div>
  );
}

function textOf({ version }: Version, newest: boolean): string {
  const values = { version: count(version) };
  return newest ? t("structure.versionNewest", values) : t("structure.version", values);
}
