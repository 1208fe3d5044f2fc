import type { Context } from "#platform/context.ts";
import type { Output } from "../command.ts";

/** One word after `npm run notifications --`; each has a file of its own in this folder. */
export interface Subcommand {
  /** Lines of the usage, without indent. */
  usage: string[];
  /** What the arguments after the word ask for; null when they are wrong. Returns the exit code. */
  parse(args: string[]): ((context: Context, output: Output) => Promise<number>) | null;
}
