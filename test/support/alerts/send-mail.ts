import process from "node:process";
import { loadConfig } from "#platform/config/load.ts";
import { emailChannel, emailSettings } from "#services/notifier/channels/email/send.ts";
import { alertMessage } from "#test/support/alerts/alert-messages.ts";

// A process of its own, since the runtime reads its authorities when it starts: sends one mail as the
// environment says and prints how that ended.
const channel = emailChannel(emailSettings(loadConfig({ env: process.env }))!);
const [recipient = ""] = channel.recipients;
const outgoing = { deliveryId: "d", recipient, message: alertMessage() };
console.log(JSON.stringify(await channel.send(outgoing, new AbortController().signal)));
await channel.close();
