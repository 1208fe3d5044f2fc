import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { SpanAccounting } from "../pairing/pairing.ts";
import { publisherLease } from "./worker.ts";

const batchSize = 10_000;

/**
 * Has everything posted again that traces made of services, whatever was posted before: the running
 * publisher maps it again. Returns the number of affected services and hosts.
 */
export async function republish(
  db: Database,
  progress: (entities: number) => void = () => {},
): Promise<number> {
  let done = 0;
  for (let after: string | null = ""; after !== null;) {
    const [batch]: ForgottenBatch[] = await db.query(forget, [after, batchSize]);
    done += batch!.size;
    progress(done);
    after = batch!.last;
  }
  return (await db.query(everything)).length;
}

type ForgottenBatch = { last: string | null; size: number };

interface TracesStatus {
  publisher: PublisherStatus;
  checkpoints: Checkpoint[];
}

/** How far the publisher and the pairing of spans are. */
export async function tracesStatus(db: Database): Promise<TracesStatus> {
  const [publisher] = await db.query(status, [publisherLease]);
  return { publisher: publisher!, checkpoints: await db.query(checkpoints) };
}

/** Forgets what was posted, in CATRN order from behind $1, at most $2; the last one, null at the end. */
const forget = statement<ForgottenBatch>("service-entities-unpost")`
  WITH batch AS (
    SELECT catrn FROM service_entity WHERE catrn > $1 ORDER BY catrn LIMIT $2),
  forgotten AS (
    UPDATE service_entity e SET hash = NULL FROM batch WHERE e.catrn = batch.catrn)
  SELECT max(catrn) AS last, count(*)::int AS size FROM batch`;

/** Has every service and host composed again. */
const everything = statement("service-changes-of-all")`
  INSERT INTO service_change (kind, namespace, name)
  SELECT kind, namespace, name FROM service_entity
  UNION
  SELECT 'service', service_namespace, service_name FROM service_edge
   WHERE service_name IS NOT NULL
  UNION
  SELECT peer_kind, peer_namespace, peer_name FROM service_edge
   WHERE peer_kind IS NOT NULL AND peer_name IS NOT NULL
  RETURNING pg_notify('service_edge', '')`;

type PublisherStatus = {
  /** The process that publishes; null: none does. */
  leader: string | null;
  /** RFC 3339: when its lease ends unless it is renewed. */
  lease_until: string | null;
  edges: number;
  changes_waiting: number;
  entities_live: number;
  entities_posting: number;
  entities_leaving: number;
  last_posted: string | null;
};

const status = statement<PublisherStatus>("service-publisher-status")`
  SELECT l.holder AS leader, iso(l.expires_at) AS lease_until,
         (SELECT count(*) FROM service_edge) AS edges,
         (SELECT count(*) FROM service_change) AS changes_waiting,
         (SELECT count(*) FROM service_entity WHERE state = 'live') AS entities_live,
         (SELECT count(*) FROM service_entity WHERE state = 'posting') AS entities_posting,
         (SELECT count(*) FROM service_entity WHERE state = 'leaving') AS entities_leaving,
         (SELECT iso(max(posted_at)) FROM service_entity) AS last_posted
    FROM (SELECT 1) one
    LEFT JOIN lease l ON l.name = $1 AND l.expires_at > now()`;

type Checkpoint = SpanAccounting & {
  partition: number;
  next_offset: number;
  stream_time: string;
};

/** How far each partition of the spans is counted, and what became of its facts. */
const checkpoints = statement<Checkpoint>("span-checkpoints")`
  SELECT partition, next_offset, iso(to_timestamp(stream_time / 1000.0)) AS stream_time, read,
         paired, standalone, expired, duplicate, irrelevant, waiting
    FROM span_checkpoint ORDER BY partition`;
