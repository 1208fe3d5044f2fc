import { parseArgs } from "node:util";
import { z } from "zod";
import { AppError } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { resendDelivery, resendFailed } from "#services/api/features/notifications/service.ts";
import type { Output } from "../command.ts";
import { channelOf } from "./channel.ts";
import type { Subcommand } from "./subcommand.ts";

const Ids = z.array(z.uuid()).min(1);

/** Sends failed deliveries again, with the same ids and a new retry budget. */
export const resend: Subcommand = {
  usage: [
    "resend <id>...         sends failed deliveries again; a receiver sees the same delivery id",
    "resend --all-failed [--channel <name>]",
    "                       sends all again that have failed",
  ],
  parse(args) {
    try {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { "all-failed": { type: "boolean" }, channel: { type: "string" } },
      });
      const channel = channelOf(values.channel);
      if (values["all-failed"]) {
        if (positionals.length > 0 || channel === null) return null;
        return async (context, output) => report(output, await resendFailed(context, channel));
      }
      const ids = Ids.safeParse(positionals);
      if (!ids.success || channel !== undefined) return null;
      return (context, output) => resendEach(context, output, ids.data);
    } catch {
      return null;
    }
  },
};

function report(output: Output, resent: number): number {
  output.write(`Put ${resent} into the queue again.\n`);
  return 0;
}

async function resendEach(context: Context, output: Output, ids: string[]): Promise<number> {
  const problems: string[] = [];
  for (const id of new Set(ids)) {
    try {
      await resendDelivery(context, id);
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
      problems.push(error.message);
    }
  }
  report(output, new Set(ids).size - problems.length);
  for (const problem of problems) output.write(`${problem}\n`);
  return problems.length > 0 ? 1 : 0;
}
