import type { Scene } from "#web/graph/scene.ts";

type Framing = typeof import("#web/graph/framing.ts");

/** The framing of a scene, for who paints it; no other is ever put there. */
export function framingOf({ framing }: Scene): Framing | undefined {
  return framing as Framing | null ?? undefined;
}
