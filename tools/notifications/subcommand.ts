import type { Context } from "#platform/context.ts";
import type { Output } from "../command.ts";

/** One subcommand of `npm run notifications --`; each has its own file in this folder. */
export interface Subcommand {
  /** Lines of the usage text, without indent. */
  usage: string[];
  /** Parses the arguments after the subcommand; null when they are invalid. Resolves with the exit code. */
  parse(args: string[]): ((context: Context, output: Output) => Promise<number>) | null;
}
