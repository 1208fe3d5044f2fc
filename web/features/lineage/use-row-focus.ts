import { useMemo, useState } from "react";
import type { ImpactRow } from "#web/graph/export/impact.ts";

interface Props {
  /** Entities of the box that has the focus in the drawing; null while none has it. */
  focus: readonly number[] | null;
  onFocus: (id: number) => void;
}

/**
 * The place of the row that has the focus. It follows the drawing, where one box may stand for several entities, and
 * stays where the drawing shows none for its entity.
 */
export function useRowFocus(
  rows: readonly ImpactRow[],
  { focus, onFocus }: Props,
): [at: number, onFocus: (id: number) => void] {
  const indexes = useMemo(() => new Map(rows.map(({ node }, at) => [node.id, at])), [rows]);
  const [own, setOwn] = useState<number | null>(null);
  const stays = own !== null && (focus === null || focus.includes(own));
  const focused = stays ? own : focus?.[0];
  return [indexes.get(focused ?? -1) ?? 0, (id) => {
    setOwn(id);
    onFocus(id);
  }];
}
