import { expect } from "vitest";
import { webhookConcurrency } from "#services/notifier/channels/webhook/send.ts";
import { apiService } from "#services/api/service.ts";
import { testCertificate } from "#test/support/engines/certificate.ts";
import {
  type Arrival,
  deliveryLog,
  type LoggedDelivery,
} from "#test/support/alerts/delivery-account.ts";
import { eventually } from "#test/support/eventually.ts";
import { answers, type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { type EngineSet, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { readMail } from "#test/support/alerts/mail.ts";
import {
  type AnsweredRequest,
  type AnswerKind,
  mixedAnswers,
} from "#test/support/http/mixed-answers.ts";
import { mailEnvironment, notifierEnvironment } from "#test/support/alerts/notifier.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { markOf, raiseAlerts } from "#test/support/alerts/raise-alerts.ts";
import { seeded } from "#test/support/random.ts";
import { type SmtpSink, startSmtpSink, type SunkMail } from "#test/support/alerts/smtp-sink.ts";
import { freePort } from "../../tools/engines/process.mjs";

/** Shares are those of a thousand alerts; with fewer, each kind of answer comes more often. */
const chatAnswers: AnswerKind[] = [
  {
    name: "429",
    answer: answers.status(429, { "retry-after": "1" }),
    takes: false,
    share: 0.02,
    max: 3,
  },
  { name: "reset", answer: answers.reset, takes: false, share: 0.02, max: 20 },
];
const webhookAnswers: AnswerKind[] = [
  { name: "500", answer: answers.status(500), takes: false, share: 0.03, max: 30 },
  { name: "hangs", answer: answers.hangs, takes: false, share: 0.01, max: 4 },
  { name: "slow body", answer: answers.slowBody(200), takes: true, share: 0.02, max: 20 },
];

interface MixedSink {
  sink: HttpSink;
  given: AnsweredRequest[];
}

async function startMixed(
  kinds: AnswerKind[],
  alerts: number,
  random: () => number,
): Promise<MixedSink> {
  const scaled = kinds.map((kind) => ({ ...kind, share: kind.share * 1_000 / alerts }));
  const { answer, given } = mixedAnswers(scaled, answers.status(200), random);
  return { sink: await startHttpSink(answer), given };
}

const user = "alerts@shop.example";
const password = "mail-s3cret";
/** The mail server knows no such person as the second. */
export const mailboxes = { good: "data-team@shop.example", bad: "code-550@shop.example" };

/** Three receivers that fail in their own ways, an API, and a notifier to be killed. */
export class Burst {
  readonly chatIntervalMs = 10;
  /** Attempts at once, by channel. */
  readonly concurrency = { chat: 1, webhook: webhookConcurrency, email: 4 };
  readonly #mailServers: SmtpSink[] = [];
  readonly #tls = testCertificate();
  /** How often the notifier was killed. */
  kills = 0;
  instance!: Instance;
  #notifier!: ServiceProcess;

  private constructor(
    readonly chat: MixedSink,
    readonly webhook: MixedSink,
    private readonly mailPort: number,
    readonly alerts: number,
    private readonly random: () => number,
  ) {}

  /** Whom the log names, over HTTP. */
  get hosts(): { chat: string; webhook: string } {
    const [chat, webhook] = [this.chat, this.webhook].map(({ sink }) => new URL(sink.url).host);
    return { chat: chat!, webhook: webhook! };
  }

  static async start(set: EngineSet, alerts: number, seed: number): Promise<Burst> {
    const random = seeded(seed);
    const chat = await startMixed(chatAnswers, alerts, random);
    const webhook = await startMixed(webhookAnswers, alerts, random);
    const burst = new Burst(chat, webhook, await freePort(), alerts, random);
    burst.instance = await startInstance(set, { services: [apiService] });
    const recipients = [mailboxes.good, mailboxes.bad];
    const env = notifierEnvironment(set, burst.instance.test, {
      RECEIVERS_CHAT_URL: `${chat.sink.url}/chat`,
      RECEIVERS_CHAT_INTERVAL: `${burst.chatIntervalMs} ms`,
      RECEIVERS_WEBHOOK_URL: `${webhook.sink.url}/hook`,
      DELIVERY_TIMEOUT: "2 s",
      DELIVERY_RETRY_INITIAL: "50 ms",
      DELIVERY_RETRY_MAX: "1 s",
      ...mailEnvironment({ port: burst.mailPort, user, password, tls: burst.#tls, recipients }),
    });
    burst.#notifier = await startService({ service: "notifier", env });
    return burst;
  }

  async raise(): Promise<void> {
    await raiseAlerts(this.instance, this.alerts);
  }

  /** Kills the notifier so many times while it sends, and starts it again. */
  async killNotifier(times: number): Promise<void> {
    for (; times > 0; times--) {
      await this.#arrive(1 + Math.floor(this.random() * this.alerts * 0.15));
      await this.#notifier.kill();
      this.kills++;
      await this.#notifier.start();
    }
  }

  /** Waits until so many more messages arrived. */
  async #arrive(more: number): Promise<void> {
    const goal = this.#arrived() + more;
    await eventually(() => expect(this.#arrived()).toBeGreaterThanOrEqual(goal), {
      describe: () => this.#states(),
    });
  }

  #arrived(): number {
    return this.chat.given.length + this.webhook.given.length + this.mails().length;
  }

  async openMail(): Promise<void> {
    const options = { user, password, tls: this.#tls, starttls: true, port: this.mailPort };
    this.#mailServers.push(await startSmtpSink({ ...options, busyEvery: 40 }));
  }

  /** Ends the mail server amid its mails, and starts another one at its port. */
  async restartMail(): Promise<void> {
    await this.#arrive(this.alerts / 10);
    await this.#mailServers.at(-1)!.close();
    await this.openMail();
  }

  mails(): SunkMail[] {
    return this.#mailServers.flatMap((server) => server.mails);
  }

  /** Waits until all that was raised has ended at this recipient. */
  async ended(...recipients: string[]): Promise<void> {
    await eventually(async () => {
      const rows = await this.#states();
      for (const recipient of recipients) {
        const ended = rows.filter((row) => row.recipient === recipient && row.state !== "pending");
        expect([recipient, ended.reduce((sum, row) => sum + row.count, 0)])
          .toEqual([recipient, this.alerts]);
      }
    }, { describe: () => this.#states() });
  }

  #states() {
    return this.instance.test.db.query<{ recipient: string; state: string; count: number }>(
      "SELECT recipient, state, count(*) AS count FROM delivery GROUP BY 1, 2 ORDER BY 1, 2",
    );
  }

  log(): Promise<LoggedDelivery[]> {
    return deliveryLog(this.instance.test.db);
  }

  /** Every way in which a request was answered. */
  answerKinds(): string[] {
    return [...new Set([...this.chat.given, ...this.webhook.given].map(({ kind }) => kind))].sort();
  }

  /** All that the receivers counted. A chat message has no id: what it says tells whose it is. */
  arrivals(log: LoggedDelivery[]): Arrival[] {
    const chats = new Map(
      log.filter(({ channel }) => channel === "chat").map((
        { id, message },
      ) => [markOf(message), id]),
    );
    return [
      ...this.chat.given.map(({ request, takes: taken }) => {
        return { deliveryId: chats.get(markOf(request.body)) ?? request.body, taken };
      }),
      ...this.webhook.given.map(({ request, takes: taken }) => {
        return { deliveryId: request.headers["webhook-id"] ?? "none", taken };
      }),
      ...this.mails().map(({ raw }) => {
        const id = /^<(.*)@/.exec(readMail(raw).headers["message-id"] ?? "")?.[1];
        return { deliveryId: id ?? raw, taken: true };
      }),
    ];
  }

  async stop(): Promise<void> {
    await this.#notifier?.kill();
    await Promise.all(this.#mailServers.map((server) => server.close()));
    await Promise.all([this.chat.sink.close(), this.webhook.sink.close()]);
    await this.instance?.stop();
  }
}
