import { lazyRouteComponent } from "@tanstack/react-router";
import { ChunkLoadError } from "#web/kit/chunk-load-error.ts";
import { loadRest } from "#web/messages/load.ts";

/** A screen that is loaded when somebody goes to it, or is about to. */
export function lazyScreen<M extends object>(load: () => Promise<M>, name: keyof M & string) {
  return lazyRouteComponent(async () => {
    try {
      const [screen] = await Promise.all([load(), loadRest()]);
      return screen;
    } catch (cause) {
      throw new ChunkLoadError(cause);
    }
  }, name as never);
}
