import type { Kind } from "#web/features/management/warning-kinds.ts";

/** What intake warnings of DataHub's collectors mean, by their kind. */
export const ofAspects: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["refused", {
    badge: "Rejected",
    tone: "bad",
    rules: [
      {
        says: "entities are stored",
        what: "No more entities of DataHub may be stored.",
        todo: "Raise datahub.max-entities, or exclude what is not needed from the recipes.",
      },
      {
        what: "The aspect is invalid, so it was not stored. Others of the request were.",
        todo: "Update the client, or fix what the recipe's transformers write.",
      },
    ],
  }],
  ["not_mapped", {
    badge: "Stored only",
    tone: "neutral",
    rules: [{
      what: "The aspect is stored, but not shown in the catalogue.",
      todo: "No action needed. docs/integrate/datahub-aspects.md lists what is shown.",
    }],
  }],
  ["unreadable", {
    badge: "Unreadable",
    tone: "bad",
    rules: [
      {
        says: "schema registry does not know",
        what: "The schema of a record of the Kafka topic is not registered.",
        todo:
          "Have the recipe register it at /integrations/datahub/schema-registry/api/, or set datahub.schema-registry.url.",
      },
      {
        what: "A record of the Kafka topic is not a proposal of DataHub. It was skipped.",
        todo:
          "Check who else writes to the topic. The log names the record's partition and offset.",
      },
    ],
  }],
  ["host_unknown", {
    badge: "Host unknown",
    tone: "warn",
    rules: [{
      what: "DataHub does not report hosts, and the catalogue has no such dataset.",
      todo: "Set the host of this platform in datahub.hosts.",
    }],
  }],
  ["ambiguous", {
    badge: "Ambiguous",
    tone: "warn",
    rules: [{
      what: "Datasets of several hosts fit the name, so none of them was taken.",
      todo: "Set the host of its platform or platform instance in datahub.hosts.",
    }],
  }],
  ["too_many", {
    badge: "Shared",
    tone: "warn",
    rules: [{
      what: "More platforms report than have a data source of their own.",
      todo: "Look for a recipe that writes an id into its platform.",
    }],
  }],
]);
