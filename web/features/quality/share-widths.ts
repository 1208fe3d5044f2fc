import type { Tone } from "#web/kit/badge.tsx";

/** Narrowest part of a bar, in percent: of 160 pixels it is 4, which people see. */
const minPercent = 2.5;

/**
 * Widths in percent of the parts of a bar, those of nothing left out. One failure of thousands stays visible: what is too
 * narrow to be seen is widened, and the wider parts give what that takes in proportion.
 */
export function widthsOf(
  of: readonly (readonly [tone: Tone, count: number])[],
): [tone: Tone, percent: number][] {
  const parts = of.filter(([, count]) => count > 0);
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  const isNarrow = (count: number) => (count / total) * 100 < minPercent;
  const narrow = parts.filter(([, count]) => isNarrow(count)).length;
  const wide = parts.reduce((sum, [, count]) => sum + (isNarrow(count) ? 0 : count), 0);
  const left = 100 - narrow * minPercent;
  return parts.map(([tone, count]) => [tone, isNarrow(count) ? minPercent : (count / wide) * left]);
}
