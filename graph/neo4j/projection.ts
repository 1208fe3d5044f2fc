import type { ManagedTransaction } from "neo4j-driver";
import { type Connection, integers, type Parameters } from "#graph/neo4j/connection.ts";
import type { Queries } from "#graph/neo4j/queries.ts";
import { type EdgePair, edgesWithout, type GraphBatch, StaleEpochError } from "#graph/port.ts";
import { AppError } from "#kit/errors.ts";
import { retry } from "#kit/retry.ts";

/** Time limit of one writing transaction, milliseconds. */
const writeTimeout = 60_000;

/** Nodes deleted per transaction when the graph is cleared. */
const clearBatch = 5_000;

interface Ends {
  parents: number[];
  children: number[];
}

/** The writing side of the graph: applies batches in transactions that are fenced by the epoch. */
export class Projection {
  constructor(protected readonly connection: Connection, protected readonly queries: Queries) {}

  /** Tolerates deadlocks and lock conflicts of processes that create a constraint at the same time. */
  async ensureSchema(): Promise<void> {
    const { constraints, begin } = this.queries;
    for (const constraint of constraints) await patiently(() => this.#constrain(constraint));
    await patiently(() => this.connection.write((tx) => run(tx, begin), writeTimeout));
  }

  /** When creating a constraint was broken off, Neo4j may keep its index, and refuses the constraint until that is gone. */
  async #constrain({ create, dropIndex }: Queries["constraints"][number]): Promise<void> {
    const write = (text: string) => this.connection.write((tx) => run(tx, text), writeTimeout);
    try {
      await write(create);
    } catch (error) {
      if (!/IndexWithNameAlreadyExists|IndexAlreadyExists/.test(code(error))) throw error;
      await write(dropIndex);
      await write(create);
    }
  }

  async claim(epoch: number): Promise<number> {
    const row = await this.connection.write(
      (tx) => run<{ epoch: number; position: number }>(tx, this.queries.claim, { epoch }),
      writeTimeout,
    );
    if (row!.epoch !== epoch) throw new StaleEpochError(epoch, row!.epoch);
    return row!.position;
  }

  /** Writes only differences, so that an entity with many edges is not rewritten for one change. */
  async apply(epoch: number, batch: GraphBatch): Promise<void> {
    await this.connection.write(async (tx) => {
      await this.#fence(tx, epoch);
      const ends = await run<Ends>(tx, this.queries.touching, { ids: batch.entities });
      const existing = ends!.parents.map((parent, i): EdgePair => [parent, ends!.children[i]!]);
      const removed = edgesWithout(existing, batch.edges);
      const added = edgesWithout(batch.edges, existing);
      const statements: [string, Parameters][] = [
        ...(removed.length > 0 ? [[this.queries.remove, columns(removed)]] : []),
        ...(added.length > 0 ? [[this.queries.create, columns(added)]] : []),
        ...(removed.length > 0
          ? [[this.queries.prune, { ids: [...new Set(removed.flat())] }]]
          : []),
        [this.queries.advance, { position: batch.position }],
      ] as [string, Parameters][];
      await Promise.all(statements.map(([text, parameters]) => run(tx, text, parameters)));
    }, writeTimeout);
  }

  async clear(epoch: number): Promise<void> {
    for (let removed = clearBatch; removed === clearBatch;) {
      removed = await this.connection.write(async (tx) => {
        await this.#fence(tx, epoch);
        await run(tx, this.queries.advance, { position: 0 });
        const row = await run<{ removed: number }>(tx, this.queries.clear, { size: clearBatch });
        return row!.removed;
      }, writeTimeout);
    }
  }

  /** Batches are grouped by parent; a parent with more than `size` children takes several. */
  async *scan(size: number): AsyncGenerator<EdgePair[]> {
    for (let after = -1;;) {
      const { ids, children } = await this.connection.read<{ ids: number[]; children: number[][] }>(
        this.queries.scan,
        { after, size: Math.min(size, 1_000) },
        writeTimeout,
      );
      if (ids.length === 0) return;
      const edges = ids.flatMap((parent, i) =>
        children[i]!.sort((a, b) => a - b).map((child): EdgePair => [parent, child])
      );
      for (let i = 0; i < edges.length; i += size) yield edges.slice(i, i + size);
      after = ids.at(-1)!;
    }
  }

  async #fence(tx: ManagedTransaction, epoch: number): Promise<void> {
    const row = await run<{ epoch: number }>(tx, this.queries.fence);
    if (row?.epoch !== epoch) throw new StaleEpochError(epoch, row?.epoch ?? 0);
  }
}

async function run<R>(tx: ManagedTransaction, text: string, parameters: Parameters = {}) {
  const { records } = await tx.run(text, integers(parameters));
  return records[0]?.toObject() as R | undefined;
}

function patiently<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, {
    attempts: 5,
    initial: 100,
    max: 1_000,
    retryable: (error) => !(error instanceof AppError) && /Schema|Constraint/.test(code(error)),
  });
}

function code(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}

function columns(edges: readonly EdgePair[]): Parameters {
  return { parents: edges.map((e) => e[0]), children: edges.map((e) => e[1]) };
}
