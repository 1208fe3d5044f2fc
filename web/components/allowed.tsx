import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Bones, Empty } from "#web/kit/states.tsx";
import { type Permission, useAppInfo, useCan, useIdentity } from "#web/components/permissions.ts";
import { t } from "#web/messages/text.ts";

/** What only those see who may; others read who can change that. Nothing is asked of the service before it is known. */
export function Allowed(
  { permission, what, children }: {
    permission: Permission;
    /** What is not shown, such as `silences`. */
    what: string;
    children: ReactNode;
  },
) {
  const can = useCan();
  const [info, identity] = [useAppInfo(), useIdentity()];
  if (can(permission)) return <>{children}</>;
  if (info.isPending || identity.isPending) return <Bones lines={6} />;
  return (
    <Empty title={t("components.youMayNotSee", { what })} icon={<Lock aria-hidden />}>
      {t("components.requiresPermission", { permission })}
    </Empty>
  );
}
