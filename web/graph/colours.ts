import { words } from "#web/kit/numbers.ts";
import type { BoxHealth } from "#web/graph/health.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import { type Colouring, sourceColour, type Theme } from "#web/graph/style.ts";
import { t } from "#web/messages/text.ts";

export interface ColourFacts {
  health: ReadonlyMap<number, BoxHealth>;
  sourceName: (id: number) => string;
}

export interface LegendEntry {
  label: string;
  colour: string;
}

/** The colour of a box and what it says; a fold has that of its first entity. */
export function colourOf(
  theme: Theme,
  by: Colouring,
  box: SceneBox,
  { health, sourceName }: ColourFacts,
): LegendEntry {
  const known = health.get(box.members[0]!);
  switch (by) {
    case "type":
      return {
        label: box.colour === "UNKNOWN" ? t("graph.other") : words(box.colour),
        colour: theme.classes[box.colour],
      };
    case "source":
      return {
        label: box.source === null ? t("graph.noSource") : sourceName(box.source),
        colour: sourceColour(theme, box.source),
      };
    case "owner": {
      const owner = known?.owners[0];
      return owner === undefined
        ? { label: t("kit.noOwner"), colour: theme.muted }
        : { label: owner, colour: sourceColour(theme, numberOf(owner)) };
    }
    case "freshness":
      if (!known?.freshness) return { label: t("graph.rhythmNotKnown"), colour: theme.muted };
      return known.freshness === "FRESH"
        ? { label: t("graph.updatedAsUsual"), colour: theme.changes.came }
        : { label: t("graph.late"), colour: theme.alert };
    case "tests":
      if (!known || known.tests.total === 0) {
        return { label: t("graph.noTests"), colour: theme.muted };
      }
      if (known.tests.failed > 0) return { label: t("graph.testsFail"), colour: theme.alert };
      return known.tests.passed === known.tests.total
        ? { label: t("graph.testsPass"), colour: theme.changes.came }
        : { label: t("graph.testsWithoutResult"), colour: theme.muted };
  }
}

/** Entries of a legend at most; the colours of more owners or sources repeat anyway. */
const maxEntries = 8;

/** What the colours of some boxes say, the most frequent first. */
export function legendOf(
  theme: Theme,
  by: Colouring,
  boxes: readonly SceneBox[],
  facts: ColourFacts,
): LegendEntry[] {
  const entries = boxes.map((box) => colourOf(theme, by, box, facts));
  return [...Map.groupBy(entries, ({ label }) => label).values()]
    .sort((a, b) => b.length - a.length).slice(0, maxEntries).map(([entry]) => entry!);
}

/** The same number for the same name. */
function numberOf(name: string): number {
  let sum = 7;
  for (const character of name) sum = (31 * sum + character.codePointAt(0)!) >>> 0;
  return sum;
}
