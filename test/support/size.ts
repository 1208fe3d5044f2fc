/** Whether this is `npm run test:long`, which runs campaigns, fuzzing and walks at their full size. */
export const isLongRun = process.env.TRIBUTARY_TEST_LONG === "1";

/** How much of something a test does: `small` in `npm test` and CI, `long` in `npm run test:long`. */
export function sized(small: number, long: number): number {
  return isLongRun ? long : small;
}

/** Of a walk over everything: each `nth` entry in `npm test` and CI, all of them in `npm run test:long`. */
export function sampled<T>(all: T[], nth: number): T[] {
  return isLongRun ? all : all.filter((_, at) => at % nth === 0);
}
