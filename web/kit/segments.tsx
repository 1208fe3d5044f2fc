import { classes } from "#web/kit/classes.ts";
import { shortCount } from "#web/kit/numbers.ts";
import styles from "#web/kit/segments.module.css";

export interface Segment<Value extends string> {
  value: Value;
  text: string;
  /** How many there are of it; null while that is not known. */
  count?: number | null;
}

/** One of few views of the same thing, all visible, as buttons that are pressed or not. */
export function Segments<Value extends string>(
  { label, of, value, onValue }: {
    label: string;
    of: readonly Segment<Value>[];
    value: Value;
    onValue: (value: Value) => void;
  },
) {
  return (
    <div role="group" aria-label={label} className={styles.segments}>
      {of.map((one) => (
        <button
          key={one.value}
          type="button"
          aria-pressed={one.value === value}
          className={classes(styles.segment, one.value === value && styles.chosen)}
          onClick={() => onValue(one.value)}
        >
          {one.text}
          {one.count !== undefined && (
            <span className={styles.count}>
              {one.count === null ? "–" : shortCount(one.count)}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
