// deno-lint-ignore-file house/interface-text -- parts of the reasons of the server, which are compared
import type { Kind } from "#web/features/management/warning-kinds.ts";

/** What intake warnings of DataHub's collectors mean, by their kind. */
export const ofAspects: ReadonlyMap<string, Kind> = new Map<string, Kind>([
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
