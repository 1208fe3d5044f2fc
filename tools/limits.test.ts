import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { repositoryFiles, root } from "./checks/check.ts";

it("the limits of every room are taken in by another list of limits, so that docs/reference/limits.md has them", async () => {
  const rooms = await repositoryFiles(/^(platform|services)\/.*limits\.ts$/);
  const text = (file: string) => readFileSync(`${root}/${file}`, "utf8");
  const lists = [...rooms, "tools/limits.ts"].map(text);
  const left = rooms.flatMap((room) =>
    [...text(room).matchAll(/export const (\w+Limits)\b/g)].map(([, name]) => ({ room, name }))
  ).filter(({ name }) => !lists.some((list) => list.includes(`...${name}`)));
  expect(rooms.length).toBeGreaterThan(5);
  expect(left).toEqual([]);
});
