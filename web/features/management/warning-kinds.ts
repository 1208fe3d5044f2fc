import type { Tone } from "#web/kit/badge.tsx";

/** What an intake warning means, for somebody who did not write the events. */
export interface WarningExplanation {
  /** One word or two for the kind. */
  badge: string;
  tone: Tone;
  what: string;
  todo: string;
  /** The name is one of a dataset, whose meaning can be requested. */
  dataset?: boolean;
}

export interface Rule extends Omit<WarningExplanation, "badge" | "tone"> {
  /** A part of the reason; absent for all other reasons of the kind. */
  says?: string;
}

/** What warnings of one kind mean. */
export interface Kind extends Pick<WarningExplanation, "badge" | "tone"> {
  /** The first that fits counts; the last fits always. */
  rules: Rule[];
}
