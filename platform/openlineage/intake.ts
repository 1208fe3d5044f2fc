import type { Refused } from "#contract/openlineage/accept.ts";
import type { Judgement, TakenEvent } from "#contract/openlineage/judge.ts";
import { headersOf, type Origin, type Received } from "#contract/openlineage/record.ts";
import { maxEventRecordBytes } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { Complaints } from "#metadata/openlineage/complaints.ts";
import type { Context } from "#platform/context.ts";
import { EventAccount } from "./account.ts";
import { EventPublisher } from "./publisher.ts";

/** What is left of a record for its key, its headers and the log's own frame, bytes. */
const recordFrame = 64 * 1_024;

/** What became of the events of one request or record, all accepted ones being in the event log. */
export interface Outcome {
  accepted: number;
  /** Parts that were left out of the accepted ones. */
  warnings: number;
  /** The others, by their index. */
  refused: { index: number; refused: Refused }[];
}

type Tools = Pick<Context, "db" | "events" | "clock" | "metrics" | "log">;

/** Puts judged events into the event log, counts them and complains; the same for every way they come. */
export class EventIntake {
  readonly account: EventAccount;
  readonly complaints: Complaints;
  readonly #publisher: EventPublisher;

  constructor(context: Tools, private readonly via: Origin) {
    this.complaints = new Complaints(context);
    this.account = new EventAccount(context.metrics, this.complaints, via);
    this.#publisher = new EventPublisher(context);
  }

  /** Resolves once the accepted events are durable. Rejects with 503 when none of them may be. */
  async take(judged: Judgement[], received: Omit<Received, "via">): Promise<Outcome> {
    const headers = headersOf({ ...received, via: this.via });
    const taken: TakenEvent[] = [];
    const refused: Outcome["refused"] = [];
    for (const [index, judgement] of judged.entries()) {
      if ("taken" in judgement && fits(judgement.taken)) taken.push(judgement.taken);
      else refused.push({ index, refused: this.#refusal(judgement) });
    }
    await this.#publish(taken, headers);
    let warnings = 0;
    for (const event of taken) {
      this.account.accepted(event);
      for (const [, count] of event.dropped) warnings += count;
    }
    return { accepted: taken.length, warnings, refused };
  }

  /** Writes the complaints that wait. */
  async stop(): Promise<void> {
    await this.complaints.flush();
  }

  #refusal(judgement: Judgement): Refused {
    if ("refused" in judgement) {
      this.account.refused(judgement.refused);
      return judgement.refused;
    }
    this.account.tooLarge(judgement.taken);
    return { path: "", reason: "the event is larger than the event log takes" };
  }

  async #publish(taken: TakenEvent[], headers: NewRecord["headers"]): Promise<void> {
    const records = taken.map(({ key, value }) => ({ key, value, headers }));
    try {
      await this.#publisher.publish(records);
    } catch (error) {
      this.account.failed(taken);
      throw error;
    }
  }
}

const fits = ({ value }: TakenEvent) => value.byteLength <= maxEventRecordBytes - recordFrame;
