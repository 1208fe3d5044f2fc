import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Confirm } from "#web/kit/confirm.tsx";
import { t } from "#web/messages/text.ts";

/** Parameters of the address that change what is edited; others, such as a filter, leave an editor open. */
const places = ["field", "version"];

interface Place {
  pathname: string;
  search: object;
}

/** Whether going from one address to the other closes what is being edited. */
export function leavesEditor(from: Place, to: Place): boolean {
  const valueOf = ({ search }: Place, name: string) => (search as Record<string, unknown>)[name];
  return from.pathname !== to.pathname ||
    places.some((name) => valueOf(from, name) !== valueOf(to, name));
}

/**
 * Asks before text is lost that somebody typed and did not save: by another screen, by the browser's Back, or by closing the
 * tab. `leave` asks before it does what it is given, for keys that close the editor; `question` is to be shown.
 */
export function useUnsaved(
  changed: boolean,
  backOnly = false,
): { leave: (go: () => void) => void; question: ReactNode } {
  const [pending, setPending] = useState<() => void>();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next, action }) =>
      leavesEditor(current, next) && (!backOnly || action === "BACK" || action === "FORWARD"),
    enableBeforeUnload: changed,
    disabled: !changed,
    withResolver: true,
  });
  const isBlocked = blocker.status === "blocked";
  const stay = () => {
    setPending(undefined);
    if (isBlocked) blocker.reset();
  };
  const discard = () => {
    pending?.();
    if (isBlocked) blocker.proceed();
    return Promise.resolve();
  };
  return {
    leave: (go) => changed ? setPending(() => go) : go(),
    question: (pending || isBlocked) && (
      <Confirm
        open
        title={t("kit.discardUnsavedChanges")}
        action={t("kit.discard")}
        cancel={t("kit.keepEditing")}
        onClose={stay}
        onConfirm={discard}
      >
        {t("kit.whatYouTypedIsNot")}
      </Confirm>
    ),
  };
}
