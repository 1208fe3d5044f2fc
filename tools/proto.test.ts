import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./checks/check.ts";
import { protobufCode } from "./proto.ts";

it("protobufCode: the committed code is what the .proto files give (npm run proto)", async () => {
  for (const [file, text] of Object.entries(await protobufCode())) {
    expect(readFileSync(join(root, file), "utf8") === text, `${file} is out of date`).toBe(true);
  }
});
