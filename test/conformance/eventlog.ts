import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { consumeClauses } from "#test/conformance/eventlog/consume.ts";
import { joinClauses } from "#test/conformance/eventlog/join.ts";
import { deadLetterClauses } from "#test/conformance/eventlog/dead-letters.ts";
import { groupClauses } from "#test/conformance/eventlog/groups.ts";
import { publishClauses } from "#test/conformance/eventlog/publish.ts";
import { Subject, type SubjectOptions } from "#test/conformance/eventlog/subject.ts";

const clauses = {
  ...publishClauses,
  ...consumeClauses,
  ...joinClauses,
  ...groupClauses,
  ...deadLetterClauses,
};

/**
 * What every event log promises, one named clause a promise; there is no way to leave one out.
 * `setUp` prepares a fresh instance on the engine and gives what undoes it.
 */
export function eventLogConformance(
  engine: "kafka" | "postgres",
  setUp: () => Promise<SubjectOptions & { tearDown: () => Promise<void> }>,
): void {
  describe(`event log on ${engine}`, () => {
    let subject: Subject;
    let tearDown: () => Promise<void>;
    beforeAll(async () => {
      const options = await setUp();
      tearDown = options.tearDown;
      subject = new Subject(options);
    });
    afterEach(() => subject.afterEach());
    afterAll(async () => {
      await subject.close();
      await tearDown();
    });
    for (const [promise, clause] of Object.entries(clauses)) it(promise, () => clause(subject));
  });
}
