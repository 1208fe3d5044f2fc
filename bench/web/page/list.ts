import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { VirtualTable } from "#web/kit/virtual-table.tsx";
import { emptyContainer, framesOf, painted } from "./frames.ts";

interface Item {
  id: number;
  name: string;
  type: string;
  source: string;
}

/** Scrolls the table that lists are shown in, 25 rows a frame. */
export async function listFrames(count: number): Promise<number> {
  const rows = Array.from({ length: count }, (_, id): Item => {
    return { id, name: `table_${id}`, type: "Table", source: `source ${id % 5}` };
  });
  const root = createRoot(emptyContainer().appendChild(document.createElement("div")));
  root.render(createElement(VirtualTable<Item>, {
    label: "Rows",
    rows,
    keyOf: ({ id }) => id,
    height: "700px",
    columns: (["name", "type", "source"] as const).map((name) => ({
      name,
      width: "1fr",
      cell: (row: Item) => createElement("a", { href: `#${row.id}` }, row[name]),
    })),
  }));
  await painted();
  const table = document.querySelector("[role=table]")!;
  const p95 = await framesOf(180, () => table.scrollTop += 900);
  root.unmount();
  return p95;
}
