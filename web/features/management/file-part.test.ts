import { expect, it } from "vitest";
import { describingPart } from "#web/features/management/file-part.ts";

const bytes = (count: number) => new Uint8Array(count);

it("is the beginning of text, and the footer of Parquet", async () => {
  const text = new File([bytes(1_000_000)], "a.csv");
  expect((await describingPart(text)).size).toBe(256 * 1024);
  const tail = new Uint8Array(8);
  new DataView(tail.buffer).setUint32(0, 200_000, true);
  tail.set(new TextEncoder().encode("PAR1"), 4);
  const parquet = new File([bytes(1_000_000), tail], "a.parquet");
  expect((await describingPart(parquet)).size).toBe(200_008);
  const broken = new File([bytes(1_000_000)], "a.parquet");
  expect((await describingPart(broken)).size).toBe(64 * 1024);
  expect((await describingPart(new File([bytes(3)], "b.parquet"))).size).toBe(3);
});
