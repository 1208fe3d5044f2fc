import "#web/messages/testing/english.ts";
import { describe, expect, it } from "vitest";
import { explained } from "#web/features/management/warning-texts.ts";

describe("an intake warning in plain words", () => {
  it.each([
    ["refused", "the event is no JSON that is taken", /not JSON/],
    ["refused", "run.runId: missing", /field is missing/],
    ["refused", "eventTime: must be an RFC 3339 date-time, such as …", /event time/],
    ["refused", "job: must be an object", /field is invalid/],
    ["refused", "the event has neither a run, a job nor a dataset", /no run, job or dataset/],
    ["refused", "the event is larger than the event log takes", /too large/],
    ["dropped", "inputs[].namespace: is missing", /lacks something/],
    ["dropped", "outputs[].facets.schema: holds more than 5000 entries; …", /longer than is taken/],
    ["dropped", "job.facets.sql: was cut to 65536 bytes", /its end was cut/],
    ["dropped", "run.facets.x: is nested deeper than 32", /nested deeper/],
    ["dropped", "job.facets.sql: must be an object", /not as OpenLineage describes/],
    [
      "dropped",
      "an event reports that it was dropped, but a collector still reports it",
      /still reports it/,
    ],
    ["unreadable", "a record failed again and again", /Kafka/],
    ["not_posted", "cannot be posted: name is too long", /catalogue takes/],
    ["not_posted", "the event log does not take it", /larger/],
    ["alias", "another table is at the same location by a newer event", /Two tables/],
    ["alias", "has more than 50 names; further ones stand for themselves", /more names/],
    ["ambiguous", "several catalogued datasets may be meant; none of them was taken", /Several/],
    ["too_many", "more namespaces than openlineage.max-namespaces; …", /namespaces/],
  ])("%s: %s", (kind, reason, what) => {
    const explanation = explained(kind, reason);
    expect(explanation.what).toMatch(what);
    expect(explanation.todo).not.toBe("");
  });

  it.each([
    ["refused", "entityUrn must be urn:li:<type>:<id>, at most 1000 long", /aspect is invalid/],
    ["refused", "At most 1000 entities are stored (datahub.max-entities)", /No more entities/],
    [
      "not_mapped",
      "the catalogue has nothing that this aspect becomes; …",
      /stored, but not shown/,
    ],
    ["unreadable", "the value is cut off", /not a proposal/],
    ["unreadable", "the schema registry does not know its schema", /not registered/],
    ["host_unknown", "datahub.hosts does not name its host, …", /does not report hosts/],
    ["ambiguous", "several catalogued datasets may be meant; …", /several hosts/],
    ["too_many", "more platforms than get a data source of their own; …", /platforms/],
  ])("of DataHub: %s: %s", (kind, reason, what) => {
    const explanation = explained(kind, reason, "datahub");
    expect(explanation.what).toMatch(what);
    expect(explanation.dataset).toBeUndefined();
  });

  it("of an unknown kind is its own words", () => {
    expect(explained("later_kind", "something new")).toMatchObject({
      badge: "Later kind",
      what: "something new",
    });
  });

  it("only of a dataset asks what its name means", () => {
    expect(explained("ambiguous", "").dataset).toBe(true);
    expect(explained("refused", "").dataset).toBeUndefined();
  });
});
