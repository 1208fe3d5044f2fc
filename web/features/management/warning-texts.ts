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

interface Rule extends Pick<WarningExplanation, "dataset"> {
  /** A part of the reason; absent for all other reasons of the kind. */
  says?: string;
  what: PlainKey;
  todo: PlainKey;
}

/** What warnings of one kind mean. */
interface Kind extends Pick<WarningExplanation, "tone"> {
  badge: PlainKey;
  /** The first that fits counts; the last fits always. */
  rules: Rule[];
}

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

/** What intake warnings of DataHub's collectors mean, by their kind. */
const ofAspects: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["refused", {
    badge: "management.aspectRejected",
    tone: "bad",
    rules: [
      {
        says: "entities are stored",
        what: "management.tooManyAspects",
        todo: "management.tooManyAspectsTodo",
      },
      {
        what: "management.aspectInvalid",
        todo: "management.aspectInvalidTodo",
      },
    ],
  }],
  ["not_mapped", {
    badge: "management.storedOnly",
    tone: "neutral",
    rules: [{
      what: "management.aspectNotShown",
      todo: "management.aspectNotShownTodo",
    }],
  }],
  ["unreadable", {
    badge: "management.warningUnreadable",
    tone: "bad",
    rules: [
      {
        says: "schema registry does not know",
        what: "management.schemaNotRegistered",
        todo: "management.schemaNotRegisteredTodo",
      },
      {
        what: "management.recordIsNoProposal",
        todo: "management.recordIsNoProposalTodo",
      },
    ],
  }],
  ["host_unknown", {
    badge: "management.hostUnknown",
    tone: "warn",
    rules: [{
      what: "management.hostNotReported",
      todo: "management.hostNotReportedTodo",
    }],
  }],
  ["ambiguous", {
    badge: "management.warningAmbiguous",
    tone: "warn",
    rules: [{
      what: "management.severalHostsFit",
      todo: "management.severalHostsFitTodo",
    }],
  }],
  ["too_many", {
    badge: "management.warningTooMany",
    tone: "warn",
    rules: [{
      what: "management.tooManyPlatforms",
      todo: "management.tooManyPlatformsTodo",
    }],
  }],
]);
