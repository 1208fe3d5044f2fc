import { notePartMissing } from "#web/kit/chunk-load-error.ts";

/** What draws groups and many boxes; null where it cannot be loaded: then a drawing does without. */
export const loadFraming = () =>
  import("#web/graph/framing.ts").catch(() => {
    notePartMissing(true);
    return null;
  });
