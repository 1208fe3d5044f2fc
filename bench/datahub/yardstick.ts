import type { Subject } from "../support/subject.ts";
import { maxProposals, type Proposal } from "./sender.ts";

const table = `
  CREATE TABLE IF NOT EXISTS bench_aspect (
    urn text NOT NULL, aspect text NOT NULL, at bigint, value text, PRIMARY KEY (urn, aspect))`;

const write = `
  INSERT INTO bench_aspect SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
  ON CONFLICT (urn, aspect) DO UPDATE SET at = excluded.at, value = excluded.value`;

/** Writes the rows of proposals and nothing else, in transactions as large as requests are. */
export async function storeByHand({ db }: Subject, proposals: Proposal[]): Promise<void> {
  await db.query(table);
  for (let at = 0; at < proposals.length; at += maxProposals) {
    const some = proposals.slice(at, at + maxProposals);
    await db.query(write, [
      some.map(({ entityUrn }) => entityUrn),
      some.map(({ aspectName }) => aspectName),
      some.map(() => Date.now()),
      some.map(({ aspect }) => aspect.value),
    ]);
  }
}
