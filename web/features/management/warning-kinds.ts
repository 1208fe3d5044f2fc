import type { Tone } from "#web/kit/badge.tsx";
import type { PlainKey } from "#web/messages/text.ts";

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

export interface Rule extends Pick<WarningExplanation, "dataset"> {
  /** A part of the reason; absent for all other reasons of the kind. */
  says?: string;
  what: PlainKey;
  todo: PlainKey;
}

/** What warnings of one kind mean. */
export interface Kind extends Pick<WarningExplanation, "tone"> {
  badge: PlainKey;
  /** The first that fits counts; the last fits always. */
  rules: Rule[];
}
