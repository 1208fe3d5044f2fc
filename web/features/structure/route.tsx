import { useParams } from "@tanstack/react-router";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Comparison } from "#web/features/structure/comparison.tsx";
import { StructureView } from "#web/features/structure/view.tsx";

/** The fields of a dataset, as they are or were, or what changed between two versions. */
export function StructureTab() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const [{ compare }] = useParamsOfView();
  const dataset = Number(id);
  const versions = /^(\d{1,15})-(\d{1,15})$/.exec(compare ?? "");
  return versions
    ? <Comparison dataset={dataset} older={Number(versions[1])} newer={Number(versions[2])} />
    : <StructureView key={id} dataset={dataset} />;
}
