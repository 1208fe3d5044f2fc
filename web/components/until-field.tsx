import { Button } from "#web/kit/button.tsx";
import { type FieldProps, TextField } from "#web/kit/field.tsx";
import { inHours, lengths } from "#web/components/moment.ts";
import styles from "#web/components/until-field.module.css";
import { durationText } from "#web/kit/time.tsx";

/** A moment to come, as `datetime-local` has it, with buttons for usual lengths. */
export function UntilField(
  { value, onValue, ...labelled }: FieldProps & { value: string; onValue: (value: string) => void },
) {
  return (
    <div className={styles.until}>
      <TextField
        {...labelled}
        type="datetime-local"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      <div className={styles.lengths}>
        {lengths.map((hours) => (
          <Button
            key={hours}
            small
            variant="quiet"
            onClick={() => onValue(inHours(hours))}
          >
            {durationText(hours * 3_600)}
          </Button>
        ))}
      </div>
    </div>
  );
}
