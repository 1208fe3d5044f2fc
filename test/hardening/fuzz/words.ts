/** Draws from 0 to 1. */
export type Random = () => number;

export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

/** A number as it is spelled, which JavaScript cannot hold; `textOf` writes it without quotes. */
export const spelled = (digits: string) => `\u0001#${digits}`;

/** JSON of a tree, spelled numbers as they are. */
export function textOf(tree: unknown): string {
  return (JSON.stringify(tree) ?? "null").replace(/"\\u0001#([^"]*)"/g, "$1");
}

/** What objects have of themselves, and so finds more than was put there. */
const inherited = [
  "constructor",
  "__proto__",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "prototype",
  "__defineGetter__",
  "length",
  "then",
];

const broken = [
  "\0",
  "a\0b",
  "\ud800",
  "\udc00x",
  "x\ud83d",
  "\ufeff",
  "\uffff",
  "\u202e",
  "\u200b:bell:",
  "\r\n",
  "\x1b[31m",
  "💧".repeat(300),
  "ü".repeat(1_001),
  "",
  " ",
];

/** Runs of each sign, and of what tokenizers and templates take for one. */
const runs = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"].flatMap((sign) => [
  sign.repeat(64),
  sign.repeat(3_000),
]).concat([
  "a.".repeat(1_000),
  `v${"1".repeat(60)}!`,
  "v1-alpha".repeat(200),
  "aA".repeat(2_000),
  "%00",
  "%zz",
  "../".repeat(50),
  "{host}{{target}}",
  "${x}",
  "$1$$1",
  "--\n/*",
  "'; DROP TABLE x; --",
  "//",
  "//a//b",
]);

const edges = [7, 8, 15, 16, 31, 32, 53, 63, 64].flatMap((bits) => {
  const bound = 2n ** BigInt(bits);
  return [bound - 1n, bound, bound + 1n, -bound, -bound - 1n].map(String);
});
const numbers = [
  ...edges,
  ...["0", "-0", "-1", "1.5", "1e999", "-1e999", "5e-324", "1e21", "01", "9".repeat(400)],
];

const times = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59-23:59",
  "10000-01-01T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:60Z",
  "2026-01-01T00:00:00.1234567890123456789Z",
  "8640000000000001",
  "253402300800",
  "infinity",
  "now",
];

const texts = [...inherited, ...inherited, ...broken, ...runs, ...times, ...numbers];

/** A text that somebody chose with care. */
export function word(random: Random): string {
  const group = pick(random, [inherited, broken, runs, times, numbers, texts]);
  return pick(random, group);
}

const others: unknown[] = [null, true, false, {}, [], [[]], [null], { constructor: null }, [{}], 0];

/** Any JSON value that does not belong where it is put. */
export function value(random: Random): unknown {
  const roll = random();
  if (roll < 0.45) return word(random);
  if (roll < 0.7) return spelled(pick(random, numbers));
  return structuredClone(pick(random, others));
}

/** A whole number as it stands in a path or header. */
export const digits = (random: Random): string => pick(random, numbers);
