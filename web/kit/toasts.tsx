import { useSyncExternalStore } from "react";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { subscribeToToasts, toastsNeeded } from "#web/kit/toast.ts";

const View = lazyComponent(() => import("#web/kit/toast-view.tsx").then((all) => all.default));

/** The place of toasts, once in the page; what shows them is loaded with the first one. */
export function Toasts() {
  const on = useSyncExternalStore(subscribeToToasts, toastsNeeded);
  return on ? <View /> : null;
}
