import {
  type ConnectionCheck,
  type ConnectionProblem,
  maxPreviewed,
  maxProblems,
  type RunCounts,
} from "#contract/connections/connection.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import type { Finding } from "../connector.ts";
import { type ClaimedRun, noCounts } from "../runs.queries.ts";
import type { CollectorDeps } from "../deps.ts";

/** What a run publishes with. */
export interface PublishingOptions {
  deps: CollectorDeps;
  run: Pick<ClaimedRun, "id" | "connection_id" | "source_catrn" | "connector">;
  lease: Lease;
  report: RunReport;
}

/** Takes what a connector finds, one after the other. */
export interface Sink {
  add(finding: Finding): Promise<void>;
}

/** Most notes of a run. */
const maxNotes = 20;

/** What a run has found so far. */
export class RunReport {
  readonly counts: RunCounts = { ...noCounts };
  readonly problems: ConnectionProblem[] = [];
  readonly preview: string[] = [];
  /** What the connector says of a part that is read where the source offers it. */
  readonly notes: ConnectionCheck[] = [];
  /** Whether everything that the source holds was seen, whether read or not. */
  isComplete = true;

  /** Counts an item, and keeps the first names. */
  item(name: string): void {
    this.counts.read++;
    if (this.preview.length < maxPreviewed) this.preview.push(name);
  }

  note(note: ConnectionCheck): void {
    if (this.notes.length < maxNotes) this.notes.push(note);
  }

  problem(problem: ConnectionProblem): void {
    this.counts.skipped++;
    if (this.problems.length < maxProblems) this.problems.push(problem);
  }
}

/** Only counts: for a preview. */
export class CountingSink implements Sink {
  constructor(private readonly report: RunReport) {}

  add(finding: Finding): Promise<void> {
    if (finding.kind === "item") this.report.item(finding.item.catrn);
    else if (finding.kind === "problem") this.report.problem(finding.problem);
    else if (finding.kind === "note") this.report.note(finding.note);
    return Promise.resolve();
  }
}
