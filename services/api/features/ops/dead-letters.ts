import { z } from "@hono/zod-openapi";
import { deadLetterHeaders } from "#contract/topics.ts";
import type { AuditEventType } from "#contract/audit.ts";
import { Int, Long, optional } from "#contract/catalogue/common.ts";
import { Timestamp } from "#contract/http.ts";
import { StorableText } from "#contract/text.ts";
import { dropShare, replayShare } from "#eventlog/dead-letters.ts";
import { deadLetterId, type Selection, shareOf, summary } from "#eventlog/dead-letter-selection.ts";
import type { DeadLetter } from "#eventlog/port.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { ShortCache } from "#kit/short-cache.ts";
import { bounded } from "#kit/text.ts";
import { recordAudit } from "#metadata/catalogue/audit.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { masked, secretKey } from "#platform/secrets.ts";
import { maxBeginning, maxPerRequest } from "#services/api/features/ops/limits.ts";

type Deps = Pick<Context, "db" | "events" | "clock" | "metrics" | "log">;

/** A requested page of dead letters. */
export interface DeadLettersQuery {
  reason?: string;
  after?: string;
  size: number;
}

/** Dead letters as operators read, replay and drop them: the same as `npm run dead-letters`, a share at a time. */
export class DeadLetterService {
  readonly #limiter;
  readonly #pages;
  /** One more with each change, after which pages that are stored are old news. */
  #changes = 0;

  constructor(private readonly deps: Deps) {
    const { clock, metrics } = deps;
    // Pages of the log are large, so that few are held at once.
    this.#limiter = new ConcurrencyLimiter({
      concurrency: 2,
      maxWaiting: 50,
      waitMs: 10_000,
      refused: "Too many concurrent scans of the dead letters",
      waiting: metrics.gauge(
        "tributary_ops_dead_letter_calls_waiting",
        "Operations on dead letters waiting for their turn",
      ),
    });
    this.#pages = new ShortCache<object>({
      name: "dead letters",
      ttlMs: 1_000,
      maxEntries: 100,
      clock,
      metrics,
    });
  }

  /** OpsDeadLetterList; throws 503 when the log or the metadata store does not answer. */
  list(query: DeadLettersQuery): Promise<object> {
    const key = JSON.stringify([this.#changes, query]);
    return this.#pages.get(key, () => this.#limiter.run(() => this.#read(query)));
  }

  async #read({ reason, after, size }: DeadLettersQuery): Promise<object> {
    const items: object[] = [];
    const selection: Selection = reason === undefined ? { all: true } : { reason };
    const next = await shareOf(this.deps, selection, { after, max: size }, (deadLetters) => {
      items.push(...deadLetters.map(shown));
    });
    return { items, next };
  }

  /** OpsReplayed. What was done is retained for auditors, also when it ends in a failure. */
  replay(actor: Caller, form: DeadLetterSelection): Promise<object> {
    const done = { replayed: 0, skipped: [] as string[] };
    return this.#change("DEAD_LETTERS_REPLAYED", actor, form, done, {
      work: (selection, share) => replayShare(this.deps, selection, share, done),
      count: () => done.replayed,
    });
  }

  /** OpsDropped. As `replay`. */
  drop(actor: Caller, form: DeadLetterSelection): Promise<object> {
    const done = { dropped: 0 };
    return this.#change("DEAD_LETTERS_DROPPED", actor, form, done, {
      work: (selection, share) => dropShare(this.deps, selection, share, done),
      count: () => done.dropped,
    });
  }

  #change<T>(
    type: AuditEventType,
    actor: Caller,
    form: DeadLetterSelection,
    done: object,
    { work, count }: {
      work: (selection: Selection, share: Share) => Promise<T>;
      count: () => number;
    },
  ): Promise<object> {
    return this.#limiter.run(async () => {
      try {
        const next = await work(selectionOf(form), { after: form.after, max: maxPerRequest });
        return { ...done, next };
      } finally {
        this.#changes++;
        const subject = `${count()} dead letters (${selectedInWords(form)})`;
        await recordAudit(this.deps, { type, actor, subject });
      }
    }, callerKey(actor));
  }
}

type Share = Parameters<typeof dropShare>[2];

/** The form has exactly one of them. */
function selectionOf({ reason, ids }: DeadLetterSelection): Selection {
  if (ids) return { ids };
  return reason === undefined ? { all: true } : { reason };
}

function selectedInWords({ reason, ids }: DeadLetterSelection): string {
  if (ids) return ids.slice(0, 20).join(", ") + (ids.length > 20 ? ", …" : "");
  return reason === undefined ? "all" : `reason ${reason}`;
}

/** OpsDeadLetter. */
function shown(deadLetter: DeadLetter): object {
  const { id, reason, message, key, bytes, cut, failedAt } = summary(deadLetter);
  const { topic, partition, offset } = deadLetter.origin;
  const whole = deadLetter.record.headers[deadLetterHeaders.originTopic] !== undefined;
  return {
    id,
    reason,
    message: masked(message),
    topic,
    partition: whole && Number.isInteger(partition) ? partition : null,
    offset: whole && Number.isInteger(offset) ? offset : null,
    key: key === null ? null : masked(key),
    bytes,
    cut,
    failed_at: failedAt,
    beginning: beginningOf(deadLetter.record.value),
  };
}

/** Bytes that are looked at: more than are shown, so that a secret is not cut before it is recognised. */
const maxScanned = 16 * maxBeginning;

/** A member of JSON whose value is a text, which may have no end. */
const textMember = /"([^"\\]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)/gs;

/** The first characters of a record, without what its names say is a secret; null for what is no text. */
function beginningOf(value: Uint8Array): string | null {
  const text = textOf(value.subarray(0, maxScanned));
  if (text === null) return null;
  const hidden = text.replaceAll(
    textMember,
    (whole, name: string, between: string) =>
      secretKey.test(name) ? `"${name}"${between}"***` : whole,
  );
  return bounded(masked(hidden), maxBeginning);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    // As part of a stream: the last character may be cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Id of a dead letter. */
export const DeadLetterId = z.string().regex(deadLetterId, {
  error: "must be the id of a dead letter, <partition>-<offset>",
});

const next = optional(z.string()).openapi({
  description: "Give it as `after` to go on; null when nothing is left",
});

const OpsDeadLetter = z.object({
  id: z.string(),
  reason: z.string(),
  message: z.string(),
  topic: z.string().openapi({ description: "Where the record came from" }),
  partition: optional(Int),
  offset: optional(Long),
  key: optional(z.string()),
  bytes: Long,
  cut: z.boolean().openapi({
    description: "Whether it was truncated: it cannot be replayed",
  }),
  failed_at: Timestamp,
  beginning: optional(z.string()).openapi({
    description: "Its first characters, secrets masked; null if it is not text",
  }),
}).openapi("OpsDeadLetter");
export const OpsDeadLetterList = z.object({ items: z.array(OpsDeadLetter), next })
  .openapi("OpsDeadLetterList");

/** Longest reason; ours are short words. */
const maxReason = 200;

export const DeadLetterSelection = z.object({
  all: z.literal(true).optional(),
  reason: StorableText.max(maxReason).optional(),
  ids: z.array(DeadLetterId).min(1).max(maxPerRequest, {
    error: `must name at most ${maxPerRequest} dead letters`,
  }).optional(),
  after: DeadLetterId.optional().openapi({ description: "`next` of the answer before" }),
}).refine(
  ({ all, reason, ids }) => [all, reason, ids].filter((one) => one !== undefined).length === 1,
  {
    error: "must have one of all, reason and ids",
  },
).openapi("OpsDeadLetterSelection");
export type DeadLetterSelection = z.output<typeof DeadLetterSelection>;

export const OpsReplayed = z.object({
  replayed: Int,
  skipped: z.array(z.string()).openapi({
    description: "Ids of those that were truncated, or that their topic does not accept",
  }),
  next,
}).openapi("OpsReplayed");
export const OpsDropped = z.object({ dropped: Int, next }).openapi("OpsDropped");
