import { maxCatrnBytes } from "#contract/entities.ts";
import { type CandidateSegment, fits, type Root } from "./candidate-name.ts";

/** Spellings of names that are looked up, the likeliest first. */
const spellings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
];

/** A CATRN as far as it is known. */
interface Branch {
  form: CandidateSegment[];
  texts: string[];
  /** Index of its spelling: the lower, the likelier. */
  rank: number;
}

/** Most CATRNs that one name is taken to mean. */
export const maxBranches = 2_000;

/** The CATRNs that one name may mean, grown from their roots. */
export class Branches {
  /** CATRNs by how likely they are: the least number is the likeliest. */
  readonly candidates = new Map<string, number>();
  /** Those that end where the next segment is unknown. */
  #open: Branch[] = [];
  /** Whether not all could be looked through. */
  #cut = false;

  constructor(roots: Root[], private readonly unguessed: boolean) {
    for (const { form, above } of roots) {
      spellings.forEach((_, rank) => this.#extend({ form, texts: above, rank }));
    }
  }

  /** Prefixes whose children are needed to go on. */
  prefixes(): string[] {
    return this.#open.map(prefixOf);
  }

  /** Goes on with the children of each prefix; a prefix without has too many. */
  grow(children: ReadonlyMap<string, readonly string[]>): void {
    const open = this.#open;
    this.#open = [];
    for (const branch of open) {
      const next = children.get(prefixOf(branch));
      if (!next) this.#cut = true;
      for (const child of next ?? []) {
        if (!fits(branch.form[branch.texts.length]!, child)) continue;
        this.#extend({ ...branch, texts: [...branch.texts, child] });
      }
    }
  }

  /** The only existing one of the likeliest; null for several, undefined for none. */
  chosen(existing: ReadonlySet<string>): string | null | undefined {
    const found = [...this.candidates].filter(([catrn]) => existing.has(catrn));
    const best = Math.min(...found.map(([, rank]) => rank));
    const likeliest = found.filter(([, rank]) => rank === best);
    if (likeliest.length === 0) return this.#cut ? null : undefined;
    return likeliest.length > 1 || this.#cut ? null : likeliest[0]![0];
  }

  #extend(branch: Branch): void {
    if (this.candidates.size + this.#open.length >= maxBranches) {
      this.#cut = true;
      return;
    }
    const segment = branch.form[branch.texts.length];
    if (!segment) return this.#finish(branch);
    if (segment.text === null || (segment.guessed && this.unguessed)) {
      this.#open.push(branch);
      return;
    }
    const text = segment.name ? spellings[branch.rank]!(segment.text) : segment.text;
    for (const one of [text, ...segment.others ?? []]) {
      this.#extend({ ...branch, texts: [...branch.texts, one] });
    }
  }

  #finish({ texts, rank }: Branch): void {
    const catrn = `//${texts.join("/")}`;
    if (catrn.length > maxCatrnBytes) return;
    this.candidates.set(catrn, Math.min(rank, this.candidates.get(catrn) ?? rank));
  }
}

function prefixOf({ texts }: Branch): string {
  return `//${texts.join("/")}`;
}
