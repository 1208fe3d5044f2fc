import { type FieldProps, TextField } from "#web/kit/field.tsx";
import { Button } from "#web/kit/button.tsx";
import { durationText } from "#web/kit/time.tsx";
import { t } from "#web/messages/text.ts";
import styles from "#web/components/until-field.module.css";

const day = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Days of the address (`2026-11-22`, both included) as moments of the API, by the clock of the one who looks:
 * `begin_date` belongs to it, `end_date` does not. What is no day does not restrict.
 */
export function periodOf(
  from: string | undefined,
  to: string | undefined,
): { begin_date?: string; end_date?: string } {
  return { begin_date: midnight(from, 0), end_date: midnight(to, 1) };
}

function midnight(text: string | undefined, later: number): string | undefined {
  if (!text || !day.test(text)) return undefined;
  const at = new Date(`${text}T00:00:00`);
  if (Number.isNaN(at.getTime())) return undefined;
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

/** Two days that narrow a list, each of which may be open. */
export function PeriodFields(
  { from, to, onChange }: {
    from: string | undefined;
    to: string | undefined;
    onChange: (change: { from?: string; to?: string }) => void;
  },
) {
  return (
    <>
      <TextField
        label={t("components.fromDay")}
        hideLabel
        type="date"
        title={t("components.fromThisDayOn")}
        value={from ?? ""}
        max={to}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label={t("components.toDay")}
        hideLabel
        type="date"
        title={t("components.untilThisDayIncluded")}
        value={to ?? ""}
        min={from}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </>
  );
}

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

/** A moment as an input of type `datetime-local` has it: by the clock of the one who looks, to the minute. */
export function toLocalInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Back from there, as the API takes it; undefined for what is no moment. */
export function fromLocalInput(text: string): string | undefined {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Lengths of time that people choose, in hours. */
const lengths: readonly number[] = [1, 8, 24, 168];

/** The moment so many hours from now, for an input. */
export function inHours(hours: number): string {
  return toLocalInput(new Date(Date.now() + hours * 3_600_000));
}
