import { describe, expect, it } from "vitest";
import type { SpanFact } from "#contract/traces.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { seeded } from "#test/support/random.ts";
import { spanIdOf, traceIdOf } from "#test/support/traces/trace-cases.ts";
import {
  bucketOf,
  externalCall,
  microsOf,
  type Observation,
  pairedCall,
  quantile,
  servedCall,
} from "./observations.ts";
import { GraphMetrics } from "./metrics.ts";
import { Marks } from "./store.ts";
import { AgeOrderedMap, type LogPosition } from "./memory.ts";
import { SpanPairer } from "./pairing.ts";
import { decodePositions, encodePositions } from "./positions.ts";
import { cpuMs } from "#test/support/linear.ts";

function factOf(id: string, rest: Partial<SpanFact> = {}): SpanFact {
  return {
    traceId: traceIdOf("t"),
    spanId: spanIdOf(id),
    parentSpanId: null,
    kind: "client",
    service: { namespace: null, name: "a", version: null },
    durationMicros: 1_000,
    error: false,
    operation: "GET /",
    peer: "host",
    targets: [],
    link: null,
    ...rest,
  };
}

const at = (index: number): LogPosition => ({ offset: 1, index });

describe("Pairing", () => {
  it("lets the oldest expire when more wait than may", () => {
    const pairing = new SpanPairer({ windowMs: 1_000, maxWaiting: 3 }, 0);
    const seen: Observation[] = [];
    for (let i = 0; i < 10; i++) {
      pairing.add(factOf(`c${i}`, { peer: `h${i}` }), at(i), (o) => seen.push(o));
    }
    expect(pairing.waitingCount).toBe(3);
    expect([...pairing.waiting()].map(({ index }) => index)).toEqual([7, 8, 9]);
    expect(seen.map(({ edge }) => edge.peer?.name)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((i) => `h${i}`),
    );
    expect(pairing.takeCounts()).toMatchObject({ read: 10, expired: 7, waiting: 3 });
    expect(pairing.overflow).toEqual({ waiting: 7, seen: 4 });
  });

  it("remembers no more than it may of clients that were answered", () => {
    const pairing = new SpanPairer({ windowMs: 1_000, maxWaiting: 5 }, 0);
    for (let i = 0; i < 100; i++) {
      pairing.add(factOf(`c${i}`), at(i), () => {});
      const server = { kind: "server", parentSpanId: spanIdOf(`c${i}`) } as const;
      pairing.add(factOf(`s${i}`, server), at(i), () => {});
    }
    expect(pairing.takeCounts()).toMatchObject({ read: 200, paired: 100, waiting: 0 });
    expect(pairing.overflow.waiting).toBe(90);
  });

  it("a record with an earlier time than the last revives nothing that expired", () => {
    const pairing = new SpanPairer({ windowMs: 1_000, maxWaiting: 5 }, 0);
    pairing.advance(10_000, () => {});
    pairing.advance(4_000, () => {});
    expect(pairing.time).toBe(10_000);
  });

  it("200,000 halves: those within the window are stored, the others expire, and it takes no longer than seconds", () => {
    const pairing = new SpanPairer({ windowMs: 30_000, maxWaiting: 50_000 }, 0);
    let edges = 0;
    const taken = cpuMs(() => {
      for (let i = 0; i < 200_000; i++) {
        pairing.advance(i, () => edges++);
        pairing.add(factOf(`c${i}`), at(i), () => edges++);
      }
    });
    expect(edges + pairing.waitingCount).toBe(200_000);
    expect(pairing.waitingCount).toBe(30_001);
    expect(taken).toBeLessThan(30_000);
  });
});

describe("Aging", () => {
  it("tells the oldest as a list in order of age would", () => {
    const random = seeded(2);
    const aging = new AgeOrderedMap<number, object>();
    let model: [number, object][] = [];
    for (let i = 0; i < 20_000; i++) {
      const key = Math.floor(random() * 50);
      model = model.filter(([k]) => k !== key);
      if (random() < 0.5) {
        const value = {};
        aging.put(key, value);
        model.push([key, value]);
      } else aging.delete(key);
      if (random() < 0.3) expect(aging.oldest()).toEqual(model[0]);
      if (random() < 0.1 && model[0]) aging.delete(model.shift()![0]);
      expect(aging.size).toBe(model.length);
    }
  });
});

describe("positions", () => {
  it("are read as they were written, also far apart", () => {
    const random = seeded(1);
    const positions: LogPosition[] = [];
    for (let offset = 0; positions.length < 5_000;) {
      offset += 1 + Math.floor(random() ** 8 * 2 ** 40);
      for (
        let index = Math.floor(random() * 3);
        index < 5_000;
        index += 1 + Math.floor(random() * 3_000)
      ) {
        positions.push({ offset, index });
      }
    }
    const read = decodePositions(encodePositions(positions));
    const flat = [...read].flatMap(([offset, of]) => [...of].map((index) => ({ offset, index })));
    expect(flat).toEqual(positions);
    expect(decodePositions(encodePositions([])).size).toBe(0);
    expect(() => decodePositions(Uint8Array.of(255))).toThrow(RangeError);
  });
});

describe("Marks", () => {
  it("tell an offset that stands at least twice the window back, and not much more", () => {
    const marks = new Marks(8_000, { offset: 0, time: 0 });
    for (let i = 1; i <= 100_000; i++) {
      marks.pass(i, i);
      const { time } = marks.replayFrom(i);
      expect(time).toBeLessThanOrEqual(Math.max(0, i - 16_000));
      expect(time).toBeGreaterThanOrEqual(i - 16_000 - 1_001);
    }
  });
});

describe("sketch", () => {
  it("tells quantiles to within five in a hundred", () => {
    const random = seeded(8);
    const durations = Array.from({ length: 10_000 }, () => Math.exp(random() * 20)).sort((a, b) =>
      a - b
    );
    const counted = new Map<number, number>();
    for (const micros of durations) {
      counted.set(bucketOf(micros), (counted.get(bucketOf(micros)) ?? 0) + 1);
    }
    const sorted = [...counted].sort(([a], [b]) => a - b);
    for (const q of [0.01, 0.5, 0.95, 0.99, 1]) {
      const exact = durations[Math.ceil(q * durations.length) - 1]!;
      const estimate = quantile(sorted.map(([b]) => b), sorted.map(([, c]) => c), q)!;
      expect(Math.abs(estimate - exact) / exact).toBeLessThan(0.05);
    }
    expect(quantile([], [], 0.5)).toBeNull();
    expect([bucketOf(0), bucketOf(1), bucketOf(Infinity)]).toEqual([0, 0, 291]);
    expect(microsOf(bucketOf(1_000_000)) / 1_000_000).toBeCloseTo(1, 1);
  });
});

describe("GraphMetrics", () => {
  const server = (name: string) =>
    factOf("s", { kind: "server", service: { namespace: "n", name, version: null } });

  it("names callers, callees and kinds of connections as Grafana's service graph reads them", async () => {
    const metrics = createMetrics();
    const graph = new GraphMetrics(metrics);
    graph.add(pairedCall(factOf("c", { error: true }), server("b")));
    graph.add(servedCall(server("b")));
    graph.add(externalCall(factOf("c"))!);
    const { content } = await metrics.exposition();
    const labels = 'client="a",server="n/b",connection_type=""';
    expect(content).toContain(`traces_service_graph_request_total{${labels}} 1`);
    expect(content).toContain(`traces_service_graph_request_failed_total{${labels}} 1`);
    expect(content).toContain(`traces_service_graph_request_server_seconds_count{${labels}} 1`);
    expect(content).toContain(`traces_service_graph_request_client_seconds_count{${labels}} 1`);
    for (const virtual of ['client="user",server="n/b"', 'client="a",server="host"']) {
      expect(content).toContain(
        `traces_service_graph_request_total{${virtual},connection_type="virtual_node"} 1`,
      );
    }
  });

  it("puts pairs beyond its bound under one series", async () => {
    const metrics = createMetrics();
    const graph = new GraphMetrics(metrics, 2);
    for (const name of ["b", "c", "d", "e", "b"]) graph.add(servedCall(server(name)));
    const { content } = await metrics.exposition();
    const series = content.split("\n").filter((l) =>
      l.startsWith("traces_service_graph_request_total")
    );
    expect(series).toEqual([
      'traces_service_graph_request_total{client="user",server="n/b",connection_type="virtual_node"} 2',
      'traces_service_graph_request_total{client="user",server="n/c",connection_type="virtual_node"} 1',
      'traces_service_graph_request_total{client="(other)",server="(other)",connection_type="(other)"} 2',
    ]);
  });
});
