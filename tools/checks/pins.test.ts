import { expect, it } from "vitest";
import { actionProblems, packageProblems, pins } from "./pins.ts";

const commit = "11bd71901bbe5b1630ceea73d27597364c9af683";

it.each([
  ["- uses: actions/checkout@v4", 1],
  ["- uses: actions/checkout@main", 1],
  [`- uses: actions/checkout@${commit}`, 1],
  [`- uses: actions/checkout@${commit.slice(1)} # v4.2.2`, 1],
  [`  uses: actions/checkout@${commit} # v4.2.2`, 0],
  ["- uses: ./.github/actions/own", 0],
  ["- run: echo uses", 0],
])("of %j in a workflow tells %i problems", (line, problems) => {
  expect(actionProblems(`steps:\n${line}\n`)).toHaveLength(problems);
});

it.each([["^20", 1], ["~1.2.3", 1], ["1.x", 1], ["latest", 1], ["1.2.3", 0], [
  "18.4.0-beta.17",
  0,
]])(
  "of a package of version %s tells %i problems",
  (version, problems) => {
    expect(packageProblems({ devDependencies: { some: version } })).toHaveLength(problems);
  },
);

it("finds nothing here", async () => {
  expect((await pins.run({ update: false })).problems).toEqual([]);
});
