import { useEffect, useRef } from "react";
import type { Scene } from "#web/graph/scene.ts";
import { originOf } from "#web/features/lineage/opening.ts";
import type { Change } from "#web/features/lineage/address.ts";
import type { Stage } from "#web/features/lineage/stage.ts";

/** Writes what is seen to the address once it has come to rest. */
export function useAddressOfView(stage: Stage, scene: Scene, change: Change): void {
  const latest = useRef({ change, scene });
  latest.current = { change, scene };
  useEffect(() => {
    let [timer, last] = [undefined as ReturnType<typeof setTimeout> | undefined, stage.view];
    const end = stage.subscribe(() => {
      if (stage.view === last || stage.untouched) return;
      last = stage.view;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { change, scene } = latest.current;
        const { x, y } = originOf(scene);
        change({ view: { ...stage.view, x: stage.view.x - x, y: stage.view.y - y } });
      }, 500);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [stage]);
}
