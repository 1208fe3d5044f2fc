import { Page } from "#web/kit/page.tsx";
import { LineageOfIds } from "#web/features/lineage/lineage.tsx";

/** The lineage of several entities at once. */
export function LineageScreen() {
  return (
    <Page title="Lineage" full>
      <LineageOfIds />
    </Page>
  );
}
