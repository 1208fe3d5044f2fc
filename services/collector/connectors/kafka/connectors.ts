import { z } from "zod";
import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { catrnsOf } from "#platform/naming/openlineage/names.ts";
import { type Finding, type Session, SourceError } from "../../connector.ts";
import { basicAuth, SourceHttp, StatusError } from "../../http.ts";
import { isIncluded } from "../../patterns.ts";
import { connectorItem } from "./items.ts";
import { connectorCatrn, topicCatrn } from "./names.ts";
import { type ConnectorConfig, externalDatasets } from "./systems.ts";

const Connector = z.object({
  info: z.object({
    type: z.string().nullish(),
    config: z.record(z.string(), z.string().nullable()),
    tasks: z.array(z.unknown()).catch([]),
  }),
});
const Connectors = z.record(z.string(), z.unknown());
/** Topics are not known: the name of the connector cannot be in a path, tracking is off, or the cluster is older. */
const untracked = new Set([400, 403, 404]);

const Topics = z.record(z.string(), z.object({ topics: z.array(z.string()) }));

/** The connectors of a cluster of Kafka Connect. */
export class ConnectCluster {
  readonly #http: SourceHttp;

  constructor(private readonly session: Session<KafkaSettings>, url: string) {
    const { connect_user, ca } = session.settings;
    const authorization = basicAuth(connect_user, session.secrets.get("connect_password"));
    this.#http = new SourceHttp(session, {
      base: url,
      ...(authorization ? { authorization } : {}),
      ...(ca ? { ca } : {}),
    });
  }

  /** Names of the connectors with what the cluster says of each. Throws a `SourceError`. */
  async list(): Promise<[name: string, given: unknown][]> {
    const parsed = Connectors.safeParse(await this.#http.json("connectors?expand=info"));
    if (parsed.success) return Object.entries(parsed.data).sort(([a], [b]) => a < b ? -1 : 1);
    throw new SourceError(
      "connectors",
      "the answer is not that of Kafka Connect",
      "Check the address",
    );
  }

  /** The items of the connectors; one that fails costs itself only. */
  async *findings(topics: ReadonlySet<string>): AsyncGenerator<Finding> {
    const { settings, source } = this.session;
    for (const [name, given] of await this.list()) {
      if (!isIncluded(name, { include: [], exclude: settings.exclude })) continue;
      try {
        const finding = await this.#finding(name, given, topics);
        if (finding) yield finding;
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        const { reason, remedy } = error;
        const problem = { object: `connector ${name}`, reason, remedy };
        yield { kind: "problem", problem, catrn: connectorCatrn(source, name) };
      }
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #finding(
    name: string,
    given: unknown,
    known: ReadonlySet<string>,
  ): Promise<Finding | null> {
    const parsed = Connector.safeParse(given);
    if (!parsed.success) throw new SourceError(name, "its configuration is not readable");
    const { source } = this.session;
    const config = new Map(Object.entries(parsed.data.info.config));
    const used = (await this.#topics(name, config)).filter((topic) => known.has(topic));
    if (used.length === 0) return null;
    const isSink = isSinkOf(parsed.data.info.type, config);
    const topics = used.map((topic) => topicCatrn(source, topic));
    const others = this.#others(config, used, isSink);
    const [inputs, outputs] = isSink ? [topics, others] : [others, topics];
    const metadata = {
      class: config.get("connector.class") ?? "",
      type: isSink ? "sink" : "source",
      tasks: parsed.data.info.tasks.length,
    };
    const item = connectorItem(connectorCatrn(source, name), { name, metadata, inputs, outputs });
    return { kind: "item", item };
  }

  /** Topics that it has used, and those of its configuration. */
  async #topics(name: string, config: ConnectorConfig): Promise<string[]> {
    const path = `connectors/${encodeURIComponent(name)}/topics`;
    const used = await this.#http.json(path).catch((error) => {
      if (error instanceof StatusError && untracked.has(error.status)) return null;
      throw error;
    });
    const found = Object.values(Topics.safeParse(used).data ?? {}).flatMap(({ topics }) => topics);
    const listed = ["topics", "topic"].flatMap((one) => (config.get(one) ?? "").split(","))
      .map((one) => one.trim()).filter((one) => one !== "");
    return [...new Set([...found, ...listed])].sort();
  }

  #others(config: ConnectorConfig, topics: string[], isSink: boolean): string[] {
    return externalDatasets(config, topics, isSink)
      .map((ref) => catrnsOf(ref, this.session.naming).catrn);
  }
}

function isSinkOf(type: string | null | undefined, config: ConnectorConfig): boolean {
  if (type === "sink" || type === "source") return type === "sink";
  return config.has("topics") || config.has("topics.regex");
}
