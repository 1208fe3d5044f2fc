import { Hourglass } from "lucide-react";
import { IconButton } from "#web/kit/button.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { idsOf, useParamsOfView } from "#web/kit/search-params.ts";
import { t } from "#web/messages/text.ts";

const Dialog = lazyComponent<{ id: number; onClose: () => void }>(
  () => import("#web/features/management/expiry.tsx").then((all) => all.ExpiryDialog),
);

/** Leads to what would expire of a data source. */
export function ExpiryButton({ of: { id, name } }: { of: { id: number; name: string } }) {
  const [, change] = useParamsOfView();
  return (
    <IconButton
      label={t("management.expiryOf", { name })}
      small
      onClick={() => change({ expiry: String(id) }, true)}
    >
      <Hourglass />
    </IconButton>
  );
}

/** What would expire of the data source that the address names. */
export function OpenedExpiry() {
  const [params, change] = useParamsOfView();
  const [id] = idsOf(params.expiry);
  if (id === undefined) return null;
  return <Dialog key={id} id={id} onClose={() => change({ expiry: undefined }, true)} />;
}
