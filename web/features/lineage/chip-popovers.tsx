import { Info, Scissors } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { count } from "#web/kit/numbers.ts";
import { Popover } from "#web/kit/popover.tsx";
import { type Model, reach } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";
import type { Side, Step } from "#web/features/lineage/address.ts";
import { hub, type Piece } from "#web/features/lineage/fragments.ts";
import styles from "#web/features/lineage/extras.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

interface PopoverProps {
  model: Model;
  position: number | null;
  truncated: Piece["truncated"];
  loaded: (id: number, side: Side) => number;
  step: (step: Step) => void;
  /** Chips of other matters, between the two. */
  children?: ReactNode;
}

/** The chips that open: how current the drawing is, and what it lacks. */
export function Popovers({ position, children, ...cut }: PopoverProps) {
  return (
    <>
      {position !== null && <Position position={position} />}
      {children}
      {cut.model.truncatedAt.size > 0 && <Cut {...cut} />}
    </>
  );
}

function Position({ position }: { position: number }) {
  return (
    <ChipPopover
      chip={
        <Badge icon={<Info aria-hidden />}>
          <Rich of="lineage.revision" values={{ position: count(position) }} />
        </Badge>
      }
    >
      <p>{t("lineage.upToRevision")}</p>
    </ChipPopover>
  );
}

function ChipPopover({ chip, children }: { chip: ReactNode; children: ReactNode }) {
  return (
    <Popover trigger={<button type="button" className={styles.chipbutton}>{chip}</button>}>
      <div className={styles.cut}>{children}</div>
    </Popover>
  );
}

/** Where the walk ended before its end, and how to go on from there. */
function Cut(
  { model, truncated, loaded, step }: Omit<PopoverProps, "position" | "children">,
) {
  const truncations = [...model.truncatedAt].flatMap((id) => {
    const bits = model.reached?.get(id) ?? 0;
    const sides: Side[] = [
      ...(bits & reach.parentsCut ? ["upstream" as const] : []),
      ...(bits & reach.childrenCut ? ["downstream" as const] : []),
    ];
    return sides.map((side) => ({ id, side, name: model.nodes.get(id)?.name ?? String(id) }));
  });
  const why = truncated === "time"
    ? t("lineage.timeLimit")
    : truncated === "nodes"
    ? t("lineage.assetLimit")
    : t("lineage.neighborsLoadInPages");
  return (
    <ChipPopover
      chip={
        <Badge tone="warn" icon={<Scissors aria-hidden />}>
          <Rich of="lineage.branchesNotLoaded" values={{ count: truncations.length }} />
        </Badge>
      }
    >
      <p>
        <Rich of="lineage.continueFrom" values={{ why }} />
      </p>
      <ul>
        {truncations.slice(0, 20).map(({ id, side, name }) => (
          <li key={`${id}${side}`}>
            <span className="truncate">{shown(name)}</span>
            <Button small onClick={() => step(goOn(model, id, side, loaded(id, side)))}>
              {side === "upstream" ? t("lineage.upstream") : t("lineage.downstream")}
            </Button>
          </li>
        ))}
      </ul>
      {truncations.length > 20 && (
        <p className="soft">
          <Rich of="lineage.andMorePlaces" values={{ count: count(truncations.length - 20) }} />
        </p>
      )}
    </ChipPopover>
  );
}

/** Of a hub the page of neighbours behind those that are loaded, else all neighbours. */
function goOn(model: Model, id: number, side: Side, loaded: number): Step {
  const node = model.nodes.get(id);
  const all = (side === "upstream" ? node?.parents : node?.children) ?? 0;
  return all > hub.from
    ? { kind: "page", id, side, page: Math.floor(loaded / hub.page) + 1 }
    : { kind: "open", id, side, depth: 1 };
}
