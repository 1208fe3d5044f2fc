import { type EdgePair, type GraphBatch, StaleEpochError } from "#graph/port.ts";

/**
 * The writing side of a projected graph, in memory, with faults to order: what a projector is tested
 * against without an engine. Not a graph for use: it neither walks nor survives.
 */
export class MemoryGraph {
  readonly edges = new Map<string, EdgePair>();
  readonly batches: GraphBatch[] = [];
  epoch = 0;
  at = 0;
  /** Thrown by every call while set. */
  fault: Error | undefined;
  /** Awaited before a batch is written. */
  gate: Promise<void> = Promise.resolve();

  ensureSchema(): Promise<void> {
    return this.fault ? Promise.reject(this.fault) : Promise.resolve();
  }

  claim(epoch: number): Promise<number> {
    if (this.fault) return Promise.reject(this.fault);
    if (epoch < this.epoch) return Promise.reject(new StaleEpochError(epoch, this.epoch));
    this.epoch = epoch;
    return Promise.resolve(this.at);
  }

  async apply(epoch: number, batch: GraphBatch): Promise<void> {
    await this.gate;
    this.#check(epoch);
    const touched = new Set(batch.entities);
    for (const [key, [parent, child]] of this.edges) {
      if (touched.has(parent) || touched.has(child)) this.edges.delete(key);
    }
    for (const edge of batch.edges) this.edges.set(edge.join(">"), edge);
    this.batches.push(batch);
    this.at = batch.position;
  }

  clear(epoch: number): Promise<void> {
    this.#check(epoch);
    this.edges.clear();
    this.at = 0;
    return Promise.resolve();
  }

  /** `parent>child`, sorted. */
  storedEdges(): string[] {
    return [...this.edges.keys()].sort();
  }

  #check(epoch: number): void {
    if (this.fault) throw this.fault;
    if (epoch !== this.epoch) throw new StaleEpochError(epoch, this.epoch);
  }
}
