import { type KeyboardEvent, type Ref, useMemo, useState } from "react";
import { SearchField } from "#web/kit/field.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { count } from "#web/kit/numbers.ts";
import type { LineageNode, Model } from "#web/graph/model.ts";
import styles from "#web/features/lineage/extras.module.css";
import { t } from "#web/messages/text.ts";

const Finds = lazyComponent(() =>
  import("#web/features/lineage/finds.tsx").then((all) => all.default)
);

const maxShown = 12;

/** The entities of a drawing whose names have all words, those that begin with them first. */
export function found(model: Model, text: string): LineageNode[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const rank = ({ name }: LineageNode) => {
    const lower = name.toLowerCase();
    if (!words.every((word) => lower.includes(word))) return -1;
    return lower === words[0] ? 0 : lower.startsWith(words[0]!) ? 1 : 2;
  };
  return [...model.nodes.values()].map((node) => ({ node, rank: rank(node) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.node.name.localeCompare(b.node.name))
    .map(({ node }) => node);
}

/** From the box of a name to the drawing, where the keys go on from what was found. */
const toDrawing = () => document.querySelector<HTMLElement>("main [role=application]")?.focus();

/** Looks for names in what is drawn, and jumps there. */
export function Find(
  { model, box, onJump }: {
    model: Model;
    box: Ref<HTMLInputElement>;
    onJump: (id: number) => void;
  },
) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(-1);
  const all = useMemo(() => found(model, text), [model, text]);
  const jump = (to: number) => {
    setAt(to);
    if (all[to]) onJump(all[to].id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return toDrawing();
    const back = event.key === "ArrowUp" || (event.key === "Enter" && event.shiftKey);
    if (!back && event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    if (all.length === 0) return;
    jump(back ? (Math.max(at, 0) + all.length - 1) % all.length : (at + 1) % all.length);
  };
  return (
    <>
      <SearchField
        ref={box}
        label={t("lineage.findInThisGraph")}
        placeholder={t("lineage.find")}
        value={text}
        onValue={(value) => {
          setText(value);
          setAt(-1);
        }}
        onKeyDown={onKeyDown}
        aria-keyshortcuts="/"
      />
      {text.trim() !== "" && (
        <div className={styles.finds}>
          <p className="soft" role="status">
            {all.length === 0
              ? t("lineage.notInThisGraph")
              : t("lineage.found", { length: count(all.length) })}
            {all.length > 0 && t("lineage.enterNext")}
          </p>
          <Finds some={all.slice(0, maxShown)} at={at} onJump={jump} />
        </div>
      )}
    </>
  );
}
