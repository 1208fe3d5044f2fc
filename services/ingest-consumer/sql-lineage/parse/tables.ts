import { segmentsOf } from "#platform/naming/candidate-name.ts";
import { nameOfSegment, unescaped } from "#platform/naming/text.ts";
import type { SqlDataset } from "../model.ts";

/** Finds the datasets that SQL names. */
export interface Tables {
  /** The one whose name ends like the parts of a table's name; undefined for none, or several. */
  find(segments: string[]): SqlDataset | undefined;
  /** Whether it is one of them. */
  has(dataset: SqlDataset): boolean;
}

/**
 * Datasets by the ends of their names: `public.orders` is `…/schemas/public/tables/orders`. Letter case makes no
 * difference. A name with more segments than its dataset's is compared by the segments of both.
 */
export function tablesOf(datasets: SqlDataset[]): Tables {
  const named = datasets.map((dataset) => ({ dataset, names: namesOf(dataset) }));
  const only = (fits: (name: string[]) => boolean) => {
    const found = named.filter(({ names }) => names.some(fits));
    return found.length === 1 ? found[0]!.dataset : found.length === 0 ? undefined : null;
  };
  const ids = new Set(datasets.map(({ id }) => id));
  return {
    has: ({ id }) => ids.has(id),
    find(segments) {
      const candidateNames = segments.map(folded);
      if (candidateNames.length === 0) return undefined;
      const whole = only((name) => endsLike(name, candidateNames));
      if (whole !== undefined) return whole ?? undefined;
      return only((name) => endsLike(candidateNames, name)) ?? undefined;
    },
  };
}

function endsLike(name: string[], end: string[]): boolean {
  const from = name.length - end.length;
  return end.length > 0 && from >= 0 && end.every((segment, at) => segment === name[from + at]);
}

/**
 * The names that a dataset may go by, each from the outside in: what follows the labels of its CATRN, all that
 * follows its system, and what it is called.
 */
function namesOf({ catrn, name }: SqlDataset): string[][] {
  const [, ...segments] = segmentsOf(catrn);
  const texts = segments.map((text) => folded(nameOfSegment(text) ?? unescaped(text)));
  const labelled = segments.length % 2 === 0 ? valuesOf(texts) : [];
  const called = name === null ? [] : name.split(".").map(folded);
  return [labelled, texts, called].filter((one) => one.length > 0);
}

/** The segment behind each label; Oracle's CATRNs have the schema before the database. */
function valuesOf(texts: string[]): string[] {
  const pairs = texts.flatMap((text, at) => at % 2 === 0 ? [[text, texts[at + 1]!] as const] : []);
  const [schemas, databases] = ["schemas", "databases"].map((label) =>
    pairs.findIndex(([one]) => one === label)
  ) as [number, number];
  if (schemas >= 0 && schemas < databases) {
    [pairs[schemas], pairs[databases]] = [pairs[databases]!, pairs[schemas]!];
  }
  return pairs.map(([, value]) => value);
}

const folded = (text: string) => text.toLowerCase();
