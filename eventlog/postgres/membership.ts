import type { Database } from "#metadata/postgres/database.ts";
import * as sql from "#eventlog/postgres/queries.ts";
import type { Claim } from "#eventlog/postgres/queries.ts";

export interface MembershipOptions {
  db: Database;
  group: string;
  topic: string;
  /** Milliseconds without a heartbeat after which a member is removed, by PostgreSQL's clock. */
  sessionMs: number;
  from: "earliest" | "latest";
}

/**
 * One session in a consumer group. A session that has ended never returns: its heartbeat resolves with null,
 * its commits do nothing, and its consumer has to join again under another id.
 */
export class Membership {
  private constructor(readonly id: string, private readonly options: MembershipOptions) {}

  static async join(options: MembershipOptions): Promise<Membership> {
    const { db, group, topic, sessionMs, from } = options;
    const id = crypto.randomUUID();
    await db.query(sql.join, [group, topic, id, sessionMs, from === "latest"]);
    return new Membership(id, options);
  }

  /** The partitions owned now; null when the session has ended. */
  async heartbeat(): Promise<Claim[] | null> {
    const { db, group, topic, sessionMs } = this.options;
    const rows = await db.query(sql.heartbeat, [group, topic, this.id, sessionMs]);
    return rows[0]?.claims ?? null;
  }

  /** Resolves with false, and changes nothing, when the partition or the session was lost. */
  async commit(partition: number, nextOffset: number): Promise<boolean> {
    const { db, group, topic } = this.options;
    const rows = await db.query(sql.commit, [group, topic, partition, this.id, nextOffset]);
    return rows[0]?.done ?? false;
  }

  async release(partition: number): Promise<void> {
    const { db, group, topic } = this.options;
    await db.query(sql.release, [group, topic, partition, this.id]);
  }

  async leave(): Promise<void> {
    const { db, group, topic } = this.options;
    await db.query(sql.leave, [group, topic, this.id]);
  }
}
