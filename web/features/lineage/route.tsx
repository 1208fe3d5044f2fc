import { Page } from "#web/kit/page.tsx";
import { LineageOfIds } from "#web/features/lineage/lineage.tsx";
import { t } from "#web/messages/text.ts";

/** The lineage of several entities at once. */
export function LineageScreen() {
  return (
    <Page title={t("kit.lineage")} full>
      <LineageOfIds />
    </Page>
  );
}
