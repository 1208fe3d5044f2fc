import { TextField } from "#web/kit/field.tsx";
import { t } from "#web/messages/text.ts";

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
