// deno-lint-ignore-file house/interface-text -- parts of the reasons of the server, which are compared
import { words } from "#web/kit/numbers.ts";
import type { Tone } from "#web/kit/badge.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

/** What an intake warning means, for somebody who did not write the events. */
interface WarningExplanation {
  /** One word or two for the kind. */
  badge: string;
  tone: Tone;
  what: string;
  todo: string;
  /** The name is one of a dataset, whose meaning can be requested. */
  dataset?: boolean;
}

/** `says`: a part of the reason; absent, or empty, for all other reasons of the kind. `isDataset`: as in the explanation. */
type Rule = readonly [what: PlainKey, todo: PlainKey, says?: string, isDataset?: boolean];

/** What warnings of one kind mean. */
interface Kind extends Pick<WarningExplanation, "tone"> {
  badge: PlainKey;
  /** The first that fits counts; the last fits always. */
  rules: Rule[];
}

/** What intake warnings of OpenLineage mean, by their kind. */
const ofEvents: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["refused", {
    badge: "management.warningRefused",
    tone: "bad",
    rules: [
      ["management.notJson", "management.notJsonTodo", "no JSON"],
      [
        "management.namesNothing",
        "management.namesNothingTodo",
        "neither a run, a job nor a dataset",
      ],
      ["management.eventTooLarge", "management.eventTooLargeTodo", "larger than the event log"],
      ["management.invalidTime", "management.invalidTimeTodo", "RFC 3339"],
      ["management.fieldMissing", "management.eventNeeds", ": missing"],
      ["management.fieldInvalid", "management.eventNeeds"],
    ],
  }],
  ["dropped", {
    badge: "management.warningDropped",
    tone: "warn",
    rules: [
      [
        "management.stillReported",
        "management.stillReportedTodo",
        "was dropped, but a collector",
        true,
      ],
      ["management.partLacksSomething", "management.partLacksSomethingTodo", "is missing"],
      ["management.listTooLong", "management.listTooLongTodo", "holds more than"],
      ["management.textCut", "management.textCutTodo", "was cut to"],
      ["management.nestedTooDeep", "management.nestedTooDeepTodo", "nested deeper"],
      ["management.notAsDescribed", "management.notAsDescribedTodo"],
    ],
  }],
  ["unreadable", {
    badge: "management.warningUnreadable",
    tone: "bad",
    rules: [["management.recordIsNoEvent", "management.recordIsNoEventTodo"]],
  }],
  ["not_posted", {
    badge: "management.warningNotPosted",
    tone: "bad",
    rules: [
      ["management.notTaken", "management.notTakenTodo", "cannot be posted"],
      ["management.tooLargeToPost", "management.tooLargeToPostTodo"],
    ],
  }],
  ["alias", {
    badge: "management.warningAlias",
    tone: "info",
    rules: [
      ["management.tooManyNames", "management.tooManyNamesTodo", "more than 50 names", true],
      ["management.sameLocation", "management.sameLocationTodo", "", true],
    ],
  }],
  ["ambiguous", {
    badge: "management.warningAmbiguous",
    tone: "warn",
    rules: [["management.severalFit", "management.severalFitTodo", "", true]],
  }],
  ["too_many", {
    badge: "management.warningTooMany",
    tone: "warn",
    rules: [["management.tooManyNamespaces", "management.tooManyNamespacesTodo"]],
  }],
]);

/** Under which namespace warnings of DataHub's collectors are listed. */
const datahub = "datahub";

/** An intake warning in plain words; of a kind that a later release brings, its own words alone. */
export function explained(kind: string, reason: string, namespace = ""): WarningExplanation {
  const kinds = namespace === datahub ? ofAspects : ofEvents;
  const known = kinds.get(kind);
  const rule = known?.rules.find(([, , says = ""]) => reason.includes(says));
  if (!known || !rule) {
    const page = namespace === datahub ? "datahub" : "openlineage";
    const todo = t("management.seeDocs", { page });
    return { badge: words(kind), tone: "neutral", what: reason, todo };
  }
  const [what, todo, , dataset] = rule;
  return { badge: t(known.badge), tone: known.tone, what: t(what), todo: t(todo), dataset };
}

/** What intake warnings of DataHub's collectors mean, by their kind. */
const ofAspects: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["refused", {
    badge: "management.aspectRejected",
    tone: "bad",
    rules: [
      ["management.tooManyAspects", "management.tooManyAspectsTodo", "entities are stored"],
      ["management.aspectInvalid", "management.aspectInvalidTodo"],
    ],
  }],
  ["not_mapped", {
    badge: "management.storedOnly",
    tone: "neutral",
    rules: [["management.aspectNotShown", "management.aspectNotShownTodo"]],
  }],
  ["unreadable", {
    badge: "management.warningUnreadable",
    tone: "bad",
    rules: [
      [
        "management.schemaNotRegistered",
        "management.schemaNotRegisteredTodo",
        "schema registry does not know",
      ],
      ["management.recordIsNoProposal", "management.recordIsNoProposalTodo"],
    ],
  }],
  ["host_unknown", {
    badge: "management.hostUnknown",
    tone: "warn",
    rules: [["management.hostNotReported", "management.hostNotReportedTodo"]],
  }],
  ["ambiguous", {
    badge: "management.warningAmbiguous",
    tone: "warn",
    rules: [["management.severalHostsFit", "management.severalHostsFitTodo"]],
  }],
  ["too_many", {
    badge: "management.warningTooMany",
    tone: "warn",
    rules: [["management.tooManyPlatforms", "management.tooManyPlatformsTodo"]],
  }],
]);
