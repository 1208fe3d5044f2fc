import { useEffect, useRef } from "react";
import type { Scene } from "#web/graph/scene.ts";
import { originOf } from "#web/features/lineage/opening.ts";
import type { Change } from "#web/features/lineage/address.ts";
import type { GraphViewport } from "#web/features/lineage/graph-viewport.ts";

/** Writes what is seen to the address once it has come to rest. */
export function useAddressOfView(viewport: GraphViewport, scene: Scene, change: Change): void {
  const latest = useRef({ change, scene });
  latest.current = { change, scene };
  useEffect(() => {
    let [timer, last] = [undefined as ReturnType<typeof setTimeout> | undefined, viewport.view];
    const end = viewport.subscribe(() => {
      if (viewport.view === last || viewport.untouched) return;
      last = viewport.view;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { change, scene } = latest.current;
        const { x, y } = originOf(scene);
        change({ view: { ...viewport.view, x: viewport.view.x - x, y: viewport.view.y - y } });
      }, 500);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [viewport]);
}
