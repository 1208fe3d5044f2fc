import type { Walk } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { rootOf } from "#services/api/features/lineage/queries.ts";
import type { LineageQuestion } from "#services/api/features/lineage/side.ts";

/** The walk starts while the root is looked up; only a group as root needs a second walk. */
export async function walkFromRoot(
  context: Context,
  { id, direction, depth }: Omit<LineageQuestion, "expanded">,
): Promise<{ walk: Walk; roots: number[] }> {
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const walkFrom = (roots: number[]) =>
    context.graph.walk({ roots, direction, depth, maxNodes, timeoutMs });
  const [rows, walk] = await Promise.all([
    context.db.query(rootOf, [id]),
    walkFrom([id]),
  ]);
  const root = rows[0];
  if (!root?.visible) throw notFound("data entity", id);
  if (root.members.length === 0) return { walk, roots: [id] };
  const roots = [...new Set([id, ...root.members])];
  return { walk: await walkFrom(roots), roots };
}
