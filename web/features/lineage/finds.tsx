import { EntityIcon } from "#web/components/entity-link.tsx";
import type { LineageNode } from "#web/graph/model.ts";
import { shown } from "#web/graph/text.ts";

/** The first of what was found by name; `at` is the one that the drawing has jumped to. */
export default function Finds(
  { some, at, onJump }: { some: LineageNode[]; at: number; onJump: (index: number) => void },
) {
  return (
    <ul>
      {some.map((node, index) => (
        <li key={node.id}>
          <button
            type="button"
            data-at={index === at ? true : undefined}
            onClick={() => onJump(index)}
          >
            <EntityIcon of={node.classes.map((name) => ({ name }))} />
            <span className="truncate">{shown(node.name)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
