import styles from "#web/kit/tones.module.css";

/** Class names that are set, joined. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

/** What a colour means; never the only sign: the text says it too. */
export type Tone = "neutral" | "bad" | "warn" | "good" | "info" | "brand";

/** Gives an element `--tone` (ink), `--tone-soft` (ground) and `--tone-fill` (of drawings). */
export function toneClass(tone: Tone): string {
  return styles[tone]!;
}
