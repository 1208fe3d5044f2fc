import { maxChannelId, maxMessageText } from "#contract/catalogue/messages.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { maxShownChannels } from "./channels.ts";
import { eventBodyMs, eventLimits, eventQueue, maxEventBody, maxEvents } from "./events/intake.ts";
import { maxReplyText } from "./events/read.ts";
import { answerMs, maxAnswerBytes } from "#platform/chat/call.ts";
import { maxListedChannels } from "#platform/chat/web-api.ts";
import { maxEntityChannels, maxPending } from "./service.ts";

const posted = "messages";
const events = "POST /api/chat/events";
const provider = "answers of the chat provider";

/** Limits of data collaboration. */
export const messageLimits: Limit[] = [
  limit(posted, "text, UTF-16 units", maxMessageText),
  limit(posted, "id of the channel, UTF-16 units", maxChannelId),
  limit(posted, "messages that wait to be sent", maxPending, "503 with Retry-After"),
  limit(posted, "channels in one answer", maxShownChannels, "the first by name"),
  limit(posted, "channels of an entity in one answer", maxEntityChannels, "those most used"),
  limit(events, "body, bytes", maxEventBody, "413"),
  limit(events, "time to receive the body, ms", eventBodyMs, "408"),
  limit(events, "read at once", eventQueue.concurrency, "they wait"),
  limit(events, "of one network read at once", eventQueue.concurrencyPerKey, "they wait"),
  limit(events, "waiting", eventQueue.maxWaiting, "503 with Retry-After"),
  limit(events, "of one network waiting", eventQueue.maxWaitingPerKey, "429 with Retry-After"),
  limit(events, "wait, ms", eventQueue.waitMs, "503 or 429 with Retry-After"),
  limit(events, "objects and arrays", eventLimits.containers),
  limit(events, "members of objects", eventLimits.members),
  limit(events, "events that wait or failed", maxEvents, "503 with Retry-After"),
  limit(events, "text of a reply, UTF-16 units", maxReplyText, "it is cut"),
  limit(provider, "one answer, bytes", maxAnswerBytes, "treated as no response"),
  limit(provider, "time of one response, ms", answerMs, "treated as no response"),
  limit(provider, "channels", maxListedChannels, "the others are found by id only"),
];
