import { classes, toneClass } from "#web/kit/classes.ts";
import type { Tone } from "#web/kit/badge.tsx";
import { widthsOf } from "#web/features/quality/share-widths.ts";
import styles from "#web/features/quality/quality.module.css";

/** How much each part is of the whole, as one bar. The numbers stand next to it, so it says nothing to those who cannot see it. */
export function Share({ of }: { of: (readonly [tone: Tone, count: number])[] }) {
  let at = 0;
  const parts = widthsOf(of).map(([tone, width]) => {
    const part = { tone, x: at, width };
    at += width;
    return part;
  });
  return (
    <svg className={styles.share} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
      <rect width="100" height="1" className={styles.rest} />
      {parts.map(({ tone, x, width }) => (
        <rect
          key={x}
          x={x}
          width={width}
          height="1"
          className={classes(styles.fill, toneClass(tone))}
        />
      ))}
    </svg>
  );
}
