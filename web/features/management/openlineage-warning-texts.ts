import { words } from "#web/kit/numbers.ts";
import { ofAspects } from "#web/features/management/datahub-warning-texts.ts";
import type { Kind, WarningExplanation } from "#web/features/management/warning-kinds.ts";

const events = "The rest of the event was taken.";
const needed =
  "Fix or update the producer: an event needs eventTime, namespace and name of its job or dataset, and the runId of a run.";

const refused: Kind = {
  badge: "Refused",
  tone: "bad",
  rules: [
    {
      says: "no JSON",
      what: "The body is not JSON.",
      todo: "Check what the client sends, and whether a proxy truncates or changes it.",
    },
    {
      says: "neither a run, a job nor a dataset",
      what: "The event names no run, job or dataset.",
      todo: "Check the URL of the client: it may be meant for another service.",
    },
    {
      says: "larger than the event log",
      what: "The event is too large for the event log.",
      todo: "Disable unused facets in the client, or split the job into several events.",
    },
    {
      says: "RFC 3339",
      what: "The event time is invalid.",
      todo: "Send eventTime as 2026-03-01T10:00:00Z; without an offset it counts as UTC.",
    },
    { says: ": missing", what: "A required field is missing.", todo: needed },
    { what: "A required field is invalid.", todo: needed },
  ],
};

const dropped: Kind = {
  badge: "Left out",
  tone: "warn",
  rules: [
    {
      says: "was dropped, but a collector",
      what: "An event dropped the dataset, but a collector still reports it.",
      todo:
        "The collector takes precedence. If the dataset is gone, check why the collector still finds it.",
      dataset: true,
    },
    {
      says: "is missing",
      what: `A part lacks something that it needs. ${events}`,
      todo: "Update the producer, or have it send the named field.",
    },
    {
      says: "holds more than",
      what: "A list is longer than is taken; what is beyond was left out.",
      todo: "Have the job write less at once, such as by an event for each of its outputs.",
    },
    {
      says: "was cut to",
      what: "A text is longer than is kept; its end was cut.",
      todo: "No action needed unless you need the rest.",
    },
    {
      says: "nested deeper",
      what: `A part is nested deeper than is read. ${events}`,
      todo: "Flatten the columns or the facet that is named.",
    },
    {
      what: `A part is not as OpenLineage describes it. ${events}`,
      todo: "Update the producer, or fix the named facet.",
    },
  ],
};

const unreadable: Kind = {
  badge: "Unreadable",
  tone: "bad",
  rules: [{
    what: "A record of the Kafka topic is not an event.",
    todo: "It is in the dead-letter topic. Check who else writes to the topic of events.",
  }],
};

const notPosted: Kind = {
  badge: "Not catalogued",
  tone: "bad",
  rules: [
    {
      says: "cannot be posted",
      what: "What the events come to is nothing that the catalogue takes.",
      todo: "Fix the named field in the producer. The next event is tried again.",
    },
    {
      what: "What the events come to is larger than the event log takes.",
      todo: "Let the job write fewer datasets or columns; it is tried again when it changes.",
    },
  ],
};

const alias: Kind = {
  badge: "Names",
  tone: "info",
  rules: [
    {
      says: "more than 50 names",
      what: "The dataset has more names than are followed.",
      todo: "Names that hold a date or a partition become one by openlineage.path-patterns.",
      dataset: true,
    },
    {
      what: "Two tables stand at one place; the one of the newest event is meant.",
      todo: "If both exist, fix the symlinks facet of the producer.",
      dataset: true,
    },
  ],
};

const ambiguous: Kind = {
  badge: "Ambiguous",
  tone: "warn",
  rules: [{
    what: "Several catalogued datasets fit the name, so it stands for itself.",
    todo:
      "Say which is meant by openlineage.hosts or openlineage.datasets, or have the name tell its database and schema.",
    dataset: true,
  }],
};

const tooMany: Kind = {
  badge: "Shared",
  tone: "warn",
  rules: [{
    what: "There are more namespaces than have a data source of their own.",
    todo:
      "Raise openlineage.max-namespaces, or look for a producer that writes a time or an id into its namespace.",
  }],
};

const ofEvents = new Map<string, Kind>([
  ["refused", refused],
  ["dropped", dropped],
  ["unreadable", unreadable],
  ["not_posted", notPosted],
  ["alias", alias],
  ["ambiguous", ambiguous],
  ["too_many", tooMany],
]);

/** Under which namespace warnings of DataHub's collectors are listed. */
const datahub = "datahub";

/** An intake warning in plain words; of a kind that a later release brings, its own words alone. */
export function explained(kind: string, reason: string, namespace = ""): WarningExplanation {
  const kinds = namespace === datahub ? ofAspects : ofEvents;
  const known = kinds.get(kind);
  const rule = known?.rules.find(({ says = "" }) => reason.includes(says));
  if (!known || !rule) {
    const page = namespace === datahub ? "datahub" : "openlineage";
    return {
      badge: words(kind),
      tone: "neutral",
      what: reason,
      todo: `See docs/integrate/${page}.md.`,
    };
  }
  const { badge, tone } = known;
  return { badge, tone, what: rule.what, todo: rule.todo, dataset: rule.dataset };
}
