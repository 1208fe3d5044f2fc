import { ExternalLink as Icon } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#web/messages/text.ts";

/** Whether an address may be a link: other schemes could run something. */
export function isSafeAddress(address: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(address.trim());
}

/** A link that others gave: opens next to the catalogue, and is text where its scheme is not allowed. */
export function ExternalLink({ to, children }: { to: string; children?: ReactNode }) {
  if (!isSafeAddress(to)) return <span className="foreign">{children ?? to}</span>;
  return (
    <a href={to} target="_blank" rel="noopener noreferrer nofollow" className="foreign" title={to}>
      {children ?? to} <Icon aria-label={t("kit.opensInANewTab")} />
    </a>
  );
}
