import type { ComponentProps, ReactNode } from "react";
import { classes } from "#web/kit/classes.ts";
import styles from "#web/kit/button.module.css";

interface ButtonStyle {
  /** `primary`: the one thing to do here; `quiet`: among many. */
  variant?: "plain" | "primary" | "danger" | "quiet";
  small?: boolean;
}

/** Class names of something that looks like a button: for links and triggers. */
export function buttonClass({ variant = "plain", small }: ButtonStyle = {}, icon = false): string {
  return classes(
    styles.button,
    variant !== "plain" && styles[variant],
    small && styles.small,
    icon && styles.icon,
  );
}

/** `busy`: its work is under way; it keeps its width and cannot be pressed again. `icon`: it shows an icon only. */
export function Button(
  { variant, small, icon, busy, className, children, disabled, ...rest }:
    & ComponentProps<"button">
    & ButtonStyle
    & { busy?: boolean; icon?: boolean },
) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={classes(buttonClass({ variant, small }, icon), className)}
    >
      {children}
    </button>
  );
}

/** A button that shows an icon only; `label` names it for everyone, also as its tooltip. */
export function IconButton(
  { label, ...rest }:
    & Omit<ComponentProps<"button">, "aria-label">
    & ButtonStyle
    & { label: string; children: ReactNode },
) {
  return <Button title={label} variant="quiet" icon {...rest} aria-label={label} />;
}

/** One of few, as quiet buttons next to each other of which one is pressed. */
export function Choice<Value extends string | undefined>(
  { of, value, onValue }: {
    of: readonly (readonly [value: Value, text: ReactNode])[];
    value: Value;
    onValue: (value: Value) => void;
  },
) {
  return of.map(([one, text]) => (
    <Button
      key={one ?? ""}
      small
      variant="quiet"
      aria-pressed={one === value}
      onClick={() => onValue(one)}
    >
      {text}
    </Button>
  ));
}
