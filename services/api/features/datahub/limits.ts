import { maxSteps } from "#platform/datahub/aspect-state.ts";
import { maxEntriesOf } from "#platform/datahub/aspects.ts";
import { maxTogether } from "#platform/datahub/store.ts";
import { aheadMs, maxAspect, maxPatchSteps, maxReferences } from "#platform/datahub/proposals.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { maxUrn } from "#platform/naming/datahub/urn.ts";
import * as bounds from "./bodies.ts";

const posts = "POST /integrations/datahub/*";
const aspects = "aspects of DataHub";
const later = "503, Retry-After";
const named = "400, which names it; the others are stored";

/** Limits on what collectors of DataHub send. */
export const datahubLimits: Limit[] = [
  limit(posts, "body after decompression, bytes", bounds.maxBodyBytes, "413"),
  limit(posts, "proposals of a body", bounds.maxProposals, "413"),
  limit(
    posts,
    `bodies over ${bounds.inlineBytes} bytes that wait to be read`,
    bounds.maxWaiting,
    later,
  ),
  limit(posts, "time to parse a body, ms", bounds.deadlineMs, "503; the parsing thread is ended"),
  limit(posts, "bodies stored at a time", bounds.storeQueue.concurrency, "they wait"),
  limit(posts, "of these of one caller", bounds.storeQueue.concurrencyPerKey, "they wait"),
  limit(posts, "bodies that wait to be stored", bounds.storeQueue.maxWaiting, later),
  limit(posts, "of these of one caller", bounds.storeQueue.maxWaitingPerKey, "429, Retry-After"),
  limit(posts, "wait to be stored, ms", bounds.storeQueue.waitMs, later),
  limit(posts, "proposals stored in one transaction", maxTogether, "the next transaction"),
  limit(posts, "body of a GraphQL query, bytes", bounds.maxReadBytes),
  limit(posts, "entries of one response", bounds.maxEntries, "the newest"),
  limit(
    aspects,
    "rejected aspects listed in a response",
    bounds.maxNamed,
    "the others are counted only",
  ),
  limit(aspects, "urn, UTF-16 units", maxUrn, named),
  limit(aspects, "value, UTF-16 units", maxAspect, named),
  limit(aspects, "steps of a patch", maxPatchSteps, named),
  limit(
    aspects,
    "steps of patches stored beyond a value",
    maxSteps,
    "they become part of the value",
  ),
  limit(
    aspects,
    "urns referenced by one aspect",
    maxReferences,
    "further ones do not show its changes",
  ),
  limit(aspects, "entries of a list of runs", maxEntriesOf("assertionRunEvent"), "the newest stay"),
  limit(aspects, "entries of another time series", maxEntriesOf("operation"), "the newest stay"),
  limit(aspects, "time ahead of when it was received, ms", aheadMs, "counts as that much ahead"),
];
