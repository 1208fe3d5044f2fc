import { useEffect, useRef } from "react";
import type { Change } from "#web/features/lineage/address.ts";
import type { Stage } from "#web/features/lineage/stage.ts";

/** Writes what is seen to the address once it has come to rest. */
export function useAddressOfView(stage: Stage, change: Change): void {
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    let [timer, last] = [undefined as ReturnType<typeof setTimeout> | undefined, stage.view];
    const end = stage.subscribe(() => {
      if (stage.view === last || stage.untouched) return;
      last = stage.view;
      clearTimeout(timer);
      timer = setTimeout(() => latest.current({ view: stage.view }), 500);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [stage]);
}
