import {
  maxFactsPerRecord,
  maxFactText,
  maxServiceText,
  maxTargetsPerSpan,
} from "#contract/traces.ts";
import type { Limit } from "#kit/limits.ts";
import { receiverLimits } from "./receivers/limits.ts";
import { maxList, maxRaw, maxText } from "./facts/attributes.ts";
import { maxPath } from "./facts/paths.ts";
import { maxEdges } from "./publisher/facts.ts";
import { maxQuarantined } from "./publisher/quarantine.ts";

const spans = "spans from any entrance";
const records = "records of traces.spans";
const publisher = "services in the catalogue";
const cut = "cut";
const deadLetter = "a dead letter, invalid_record";

/** What spans may cost before they are refused or cut. */
export const traceLimits: Limit[] = [
  ...receiverLimits,
  {
    entrance: spans,
    bounds: "stored text of an attribute, UTF-16 units",
    limit: maxText,
    beyond: cut,
  },
  {
    entrance: spans,
    bounds: "URL or statement parsed, UTF-16 units",
    limit: maxRaw,
    beyond: cut,
  },
  { entrance: spans, bounds: "path parsed, UTF-16 units", limit: maxPath, beyond: cut },
  { entrance: spans, bounds: "entries of a list that are read", limit: maxList, beyond: cut },
  {
    entrance: spans,
    bounds: "tables and topics of a span",
    limit: maxTargetsPerSpan,
    beyond: "further ones are left out",
  },
  { entrance: records, bounds: "facts", limit: maxFactsPerRecord, beyond: deadLetter },
  { entrance: records, bounds: "text, UTF-16 units", limit: maxFactText, beyond: deadLetter },
  {
    entrance: records,
    bounds: "name of a service, UTF-16 units",
    limit: maxServiceText,
    beyond: deadLetter,
  },
  {
    entrance: records,
    bounds: "spans of a partition that wait",
    limit: { key: "traces.max-waiting" },
    beyond: "the oldest expire",
  },
  {
    entrance: publisher,
    bounds: "edges, and operations, of a service",
    limit: maxEdges,
    beyond: "the oldest count",
  },
  {
    entrance: publisher,
    bounds: "services and hosts waiting to be resolved",
    limit: maxQuarantined,
    beyond: "the one tried longest ago is removed",
  },
];
