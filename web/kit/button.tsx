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

/** `busy`: its work is under way; it keeps its width and cannot be pressed again. */
export function Button(
  { variant, small, busy, className, children, disabled, ...rest }:
    & ComponentProps<"button">
    & ButtonStyle
    & { busy?: boolean },
) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={classes(buttonClass({ variant, small }), className)}
    >
      {children}
    </button>
  );
}

/** A button that shows an icon only; `label` names it for everyone, also as its tooltip. */
export function IconButton(
  { label, variant = "quiet", small, children, className, ...rest }:
    & Omit<ComponentProps<"button">, "aria-label">
    & ButtonStyle
    & { label: string; children: ReactNode },
) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classes(buttonClass({ variant, small }, true), className)}
    >
      {children}
    </button>
  );
}
