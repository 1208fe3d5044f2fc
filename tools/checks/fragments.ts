import { join } from "node:path";
import { fragmentsIn } from "../changelog/folder.ts";
import { type Check, root } from "./check.ts";

export const fragments: Check = {
  name: "fragments",
  cannotDetect: "a user-visible change without a fragment, and one with a wrong text",
  run() {
    const { fragments, problems } = fragmentsIn(join(root, "changes"));
    return Promise.resolve({
      summary: `${fragments.size} fragments`,
      problems: problems.map((problem) => `changes/${problem}`),
    });
  },
};
