// deno-lint-ignore-file house/interface-text -- parts of the reasons of the server, which are compared
import { words } from "#web/kit/numbers.ts";
import { ofAspects } from "#web/features/management/datahub-warning-texts.ts";
import type { Kind, WarningExplanation } from "#web/features/management/warning-kinds.ts";
import { t } from "#web/messages/text.ts";

const refused: Kind = {
  badge: "management.warningRefused",
  tone: "bad",
  rules: [
    {
      says: "no JSON",
      what: "management.notJson",
      todo: "management.notJsonTodo",
    },
    {
      says: "neither a run, a job nor a dataset",
      what: "management.namesNothing",
      todo: "management.namesNothingTodo",
    },
    {
      says: "larger than the event log",
      what: "management.eventTooLarge",
      todo: "management.eventTooLargeTodo",
    },
    {
      says: "RFC 3339",
      what: "management.invalidTime",
      todo: "management.invalidTimeTodo",
    },
    { says: ": missing", what: "management.fieldMissing", todo: "management.eventNeeds" },
    { what: "management.fieldInvalid", todo: "management.eventNeeds" },
  ],
};

const dropped: Kind = {
  badge: "management.warningDropped",
  tone: "warn",
  rules: [
    {
      says: "was dropped, but a collector",
      what: "management.stillReported",
      todo: "management.stillReportedTodo",
      dataset: true,
    },
    {
      says: "is missing",
      what: "management.partLacksSomething",
      todo: "management.partLacksSomethingTodo",
    },
    {
      says: "holds more than",
      what: "management.listTooLong",
      todo: "management.listTooLongTodo",
    },
    {
      says: "was cut to",
      what: "management.textCut",
      todo: "management.textCutTodo",
    },
    {
      says: "nested deeper",
      what: "management.nestedTooDeep",
      todo: "management.nestedTooDeepTodo",
    },
    {
      what: "management.notAsDescribed",
      todo: "management.notAsDescribedTodo",
    },
  ],
};

const unreadable: Kind = {
  badge: "management.warningUnreadable",
  tone: "bad",
  rules: [{
    what: "management.recordIsNoEvent",
    todo: "management.recordIsNoEventTodo",
  }],
};

const notPosted: Kind = {
  badge: "management.warningNotPosted",
  tone: "bad",
  rules: [
    {
      says: "cannot be posted",
      what: "management.notTaken",
      todo: "management.notTakenTodo",
    },
    {
      what: "management.tooLargeToPost",
      todo: "management.tooLargeToPostTodo",
    },
  ],
};

const alias: Kind = {
  badge: "management.warningAlias",
  tone: "info",
  rules: [
    {
      says: "more than 50 names",
      what: "management.tooManyNames",
      todo: "management.tooManyNamesTodo",
      dataset: true,
    },
    {
      what: "management.sameLocation",
      todo: "management.sameLocationTodo",
      dataset: true,
    },
  ],
};

const ambiguous: Kind = {
  badge: "management.warningAmbiguous",
  tone: "warn",
  rules: [{
    what: "management.severalFit",
    todo: "management.severalFitTodo",
    dataset: true,
  }],
};

const tooMany: Kind = {
  badge: "management.warningTooMany",
  tone: "warn",
  rules: [{
    what: "management.tooManyNamespaces",
    todo: "management.tooManyNamespacesTodo",
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
      todo: t("management.seeDocs", { page }),
    };
  }
  return {
    badge: t(known.badge),
    tone: known.tone,
    what: t(rule.what),
    todo: t(rule.todo),
    dataset: rule.dataset,
  };
}
