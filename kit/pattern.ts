import { onDemand } from "#kit/on-demand.ts";

const re2 = onDemand<typeof import("re2js")>("re2js");

/** Maximum number of steps of the program that a pattern becomes: each may be taken for each letter of a text. */
export const maxPatternSteps = 300;

/** Whether a whole text is what a pattern says. */
export type Match = (text: string) => boolean;

/** The program of a pattern. A point is any character, line breaks too: `.*` means "anything". */
const programOf = (pattern: string) => re2().RE2JS.compile(pattern, re2().RE2JS.DOTALL);

/** Bytes of states that a pattern remembers between texts; beyond them it is matched without. */
const remembered = 65_536;

/**
 * Compiles a pattern for full matches, in time linear in the text: there are no backreferences and no
 * lookarounds. Throws for a pattern that `patternProblem` has a word about.
 */
export function compilePattern(pattern: string): Match {
  const { RE2JS, RE2Set } = re2();
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, RE2JS.DOTALL, remembered);
  set.add(pattern);
  set.compile();
  const start = literalStart(pattern);
  return (text) => text.startsWith(start) && set.match(text).length > 0;
}

/** Texts by the names of what a pattern captured: names of groups, and their numbers from 1. */
export type Captures = Map<string, string>;

/** As `compilePattern`, telling what the groups of the pattern captured; null when it is no match. */
export function compileCapturing(pattern: string): (text: string) => Captures | null {
  const program = programOf(pattern);
  const names = Object.entries(program.namedGroups());
  const start = literalStart(pattern);
  return (text) => {
    if (!text.startsWith(start)) return null;
    const matcher = program.matcher(text);
    if (!matcher.matches()) return null;
    const numbered = Array.from({ length: program.groupCount() }, (_, at): [string, string] => [
      String(at + 1),
      matcher.group(at + 1) ?? "",
    ]);
    const named = names.map(([name, at]): [string, string] => [name, matcher.group(at) ?? ""]);
    return new Map([...numbered, ...named]);
  };
}

/** Names of the groups of a pattern, as returned by `compileCapturing`. */
export function capturesOf(pattern: string): string[] {
  const program = programOf(pattern);
  const numbers = Array.from({ length: program.groupCount() }, (_, at) => String(at + 1));
  return [...numbers, ...Object.keys(program.namedGroups())];
}

/** Compiles a pattern for the end of texts: the length of what is left of a text without that end. */
export function compileEnding(pattern: string): (text: string) => number {
  const program = programOf(`(?:${pattern})\\z`);
  return (text) => {
    const matcher = program.matcher(text);
    return matcher.find() ? matcher.start() : text.length;
  };
}

/** Prefix of every match; most texts are rejected by it without running the pattern. */
export function literalStart(pattern: string): string {
  if (pattern.includes("|")) return "";
  const at = pattern.search(/[\\^$.?*+()[\]{}]/);
  const start = at < 0 ? pattern : pattern.slice(0, at);
  // The last character belongs to what follows: it may be there any number of times, or not at all.
  const optional = at >= 0 && "?*{".includes(pattern[at]!);
  return optional ? [...start].slice(0, -1).join("") : start;
}

/** What is wrong with a pattern, or the number of steps of its program. */
export function inspectPattern(pattern: string): { problem: string } | { steps: number } {
  if (repeats(pattern) > maxRepeated) {
    return { problem: "repeats too much: give smaller numbers in {}" };
  }
  const { RE2JS, RE2JSException } = re2();
  try {
    const steps = RE2JS.compile(pattern).programSize();
    return steps <= maxPatternSteps ? { steps } : {
      problem: `becomes a program of ${steps} steps, more than ${maxPatternSteps}: ` +
        "make it shorter, or give smaller numbers in {}",
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return {
      problem: `is no pattern of RE2: ${error.message.replace("error parsing regexp: ", "")}`,
    };
  }
}

/** Bound on what a pattern may grow to before its program is built and counted. */
const maxRepeated = 10_000;

/**
 * An upper bound of the size of a pattern with its counted repetitions written out: counts of groups may
 * be nested and multiply, others cannot.
 */
function repeats(pattern: string): number {
  let [groups, longest] = [1, 1];
  for (const [, group, min, max] of pattern.matchAll(/(\)?)\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) {
    const count = Math.max(1, Number(min), Number(max || 0));
    if (group) groups *= count;
    else longest = Math.max(longest, count);
  }
  return pattern.length * groups * longest;
}
