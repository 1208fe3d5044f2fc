import { z } from "@hono/zod-openapi";

/** Why PostgreSQL cannot hold a text; undefined of one that it can. */
export function unstorable(text: string): string | undefined {
  if (text.includes("\0")) return "must not hold the character NUL";
  return text.isWellFormed() ? undefined : "must not hold half a surrogate pair";
}

/** Text that PostgreSQL can hold. Whatever is stored, or looked for among what is, passes by here. */
export const StorableText = z.string().refine((text) => unstorable(text) === undefined, {
  error: ({ input }) => unstorable(input as string),
});

export interface TextBounds {
  /** Shortest length without blanks around it; 0 unless told. */
  min?: number;
  /** Longest length, UTF-16 units. */
  max: number;
}

/** A text as people give it: blanks around it are dropped before its length is judged. */
export function givenText({ min = 0, max }: TextBounds) {
  return StorableText.transform((text) => text.trim()).pipe(
    z.string()
      .min(min, { error: min === 1 ? "must not be empty" : `must be at least ${min} long` })
      .max(max, { error: `must be at most ${max} long` }),
  );
}
