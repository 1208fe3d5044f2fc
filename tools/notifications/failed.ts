import { parseArgs } from "node:util";
import { NotificationDeliveryList } from "#contract/catalogue/alerts.ts";
import { maxPageSize } from "#contract/http.ts";
import type { NotificationChannel } from "#contract/notifications.ts";
import type { Context } from "#platform/context.ts";
import { listDeliveries } from "#services/api/features/notifications/service.ts";
import type { Output } from "../command.ts";
import { table } from "../table.ts";
import { channelOf } from "./channel.ts";
import type { Subcommand } from "./subcommand.ts";

interface FailedOptions {
  channel: NotificationChannel | undefined;
  limit: number;
  json: boolean;
}

/** Lists the deliveries that were given up, with their causes. */
export const failed: Subcommand = {
  usage: [
    "failed [--channel <name>] [--limit <n>] [--json]",
    "                       lists deliveries that have failed, newest first, default 100",
  ],
  parse(args) {
    try {
      const { values } = parseArgs({
        args,
        options: {
          channel: { type: "string" },
          limit: { type: "string", default: "100" },
          json: { type: "boolean", default: false },
        },
      });
      const limit = Number(values.limit);
      const channel = channelOf(values.channel);
      if (channel === null || !Number.isInteger(limit) || limit < 1 || limit > maxPageSize) {
        return null;
      }
      return (context, output) => list(context, output, { channel, limit, json: values.json });
    } catch {
      return null;
    }
  },
};

async function list(context: Context, output: Output, { channel, limit, json }: FailedOptions) {
  const query = { state: "FAILED", channel, page: 1, size: limit } as const;
  const text = await listDeliveries(context, query);
  if (json) {
    output.write(`${text}\n`);
    return 0;
  }
  const { items, page_info: { total } } = NotificationDeliveryList.parse(JSON.parse(text));
  if (items.length === 0) {
    output.write("No delivery has failed.\n");
    return 0;
  }
  output.write(table(items.map((delivery) => ({
    id: delivery.id,
    failed: delivery.ended_at ?? null,
    channel: delivery.channel,
    recipient: delivery.recipient,
    alert: delivery.alert_id,
    event: delivery.event_type,
    attempts: delivery.attempt_count,
    reason: delivery.reason ?? null,
  }))));
  if (total > items.length) output.write(`… and ${total - items.length} more.\n`);
  return 0;
}
