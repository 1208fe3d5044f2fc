import { Search } from "lucide-react";
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { classes } from "#web/kit/classes.ts";
import styles from "#web/kit/field.module.css";

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What the service, or the form itself, says is wrong with it. */
  error?: string;
  /** For assistive technology only: where the place says it already. */
  hideLabel?: boolean;
}

/** Label, hint and error around a control, which gets what ties it to them. */
export function Field(
  { label, hint, error, hideLabel, children }: FieldProps & {
    children: (control: ControlProps) => ReactNode;
  },
) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      {!hideLabel && <label htmlFor={id} className={styles.label}>{label}</label>}
      {children({
        id,
        "aria-label": hideLabel ? label : undefined,
        className: styles.control!,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": described || undefined,
      })}
      {hint && <div id={`${id}-hint`} className={styles.hint}>{hint}</div>}
      {error && <div id={`${id}-error`} className={styles.error} role="alert">{error}</div>}
    </div>
  );
}

interface ControlProps {
  id: string;
  className: string;
  "aria-label": string | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

export function TextField(
  { label, hint, error, hideLabel, ...rest }: FieldProps & ComponentProps<"input">,
) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => <input autoComplete="off" {...rest} {...control} />}
    </Field>
  );
}

export function TextArea(
  { label, hint, error, hideLabel, ...rest }: FieldProps & ComponentProps<"textarea">,
) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => <textarea {...rest} {...control} />}
    </Field>
  );
}

/** One of few; `options` are pairs of value and text. */
export function SelectField(
  { label, hint, error, hideLabel, options, ...rest }:
    & FieldProps
    & ComponentProps<"select">
    & { options: readonly (readonly [value: string, text: string])[] },
) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <select {...rest} {...control}>
          {options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
        </select>
      )}
    </Field>
  );
}

export function Checkbox(
  { label, ...rest }: { label: ReactNode } & Omit<ComponentProps<"input">, "type">,
) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...rest} />
      <span>{label}</span>
    </label>
  );
}

/** A box to search in; Escape empties it. */
export function SearchField(
  { label, value, onValue, className, ...rest }:
    & Omit<ComponentProps<"input">, "value" | "onChange">
    & { label: string; value: string; onValue: (value: string) => void },
) {
  return (
    <div className={classes(styles.search, className)}>
      <Search aria-hidden />
      <input
        aria-label={label}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        {...rest}
        className={styles.control}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && value !== "") {
            event.stopPropagation();
            onValue("");
          }
          rest.onKeyDown?.(event);
        }}
      />
    </div>
  );
}

/** The value once it has not changed for `ms` milliseconds: for what is asked while somebody types. */
export function useDebounced<T>(value: T, ms = 200): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** What is typed to find something: trimmed and come to rest, and what takes it as it is typed. */
export function useTyped(): [query: string, onText: (text: string) => void] {
  const [text, setText] = useState("");
  return [useDebounced(text.trim()), setText];
}

/**
 * For a field with a list that opens: while it is open, Base UI hides all but the two from assistive technology, so that the
 * next field could not be gone to. Live regions are left alone, so what is around the field becomes one that tells nothing.
 */
export function useReachable(open: boolean): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  // Before the effect that hides.
  useLayoutEffect(() => {
    const container = open ? field.current?.closest("[role=dialog], main") : undefined;
    if (!container || container.hasAttribute("aria-live")) return;
    container.setAttribute("aria-live", "off");
    return () => container.removeAttribute("aria-live");
  }, [open]);
  return field;
}
