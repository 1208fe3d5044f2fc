/** A graph to load: entities numbered from 0, and edges between them, parent first. */
export interface Shape {
  entities: number;
  edges: [number, number][];
}

/** Deterministic pseudo-random numbers in [0, 1) (mulberry32), so that every run loads the same graph. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A layered DAG of 40 layers with about five edges per entity: each entity reads from the layer above, and a
 * few popular ones have far more readers (power law).
 */
export function layered(entities: number, perEntity = 5): Shape {
  const layers = 40;
  const width = Math.ceil(entities / layers);
  const next = random(entities);
  const edges: [number, number][] = [];
  for (let id = width; id < entities; id++) {
    const above = (Math.floor(id / width) - 1) * width;
    const parents = new Set<number>();
    while (parents.size < Math.min(perEntity, width)) {
      parents.add(above + Math.floor(width * next() ** 3));
    }
    for (const parent of parents) edges.push([parent, id]);
  }
  return { entities, edges };
}

/** Two entities per level, each feeding both of the next level: 2^levels paths over 4 × levels edges. */
export function diamond(levels: number): Shape {
  const edges: [number, number][] = [];
  for (let level = 0; level < levels; level++) {
    for (const from of [2 * level, 2 * level + 1]) {
      for (const to of [2 * level + 2, 2 * level + 3]) edges.push([from, to]);
    }
  }
  return { entities: 2 * levels + 2, edges };
}

export function cycle(length: number): Shape {
  const edges = Array.from({ length }, (_, at): [number, number] => [at, (at + 1) % length]);
  return { entities: length, edges };
}

export function chain(edges: number): Shape {
  return {
    entities: edges + 1,
    edges: Array.from({ length: edges }, (_, at): [number, number] => [at, at + 1]),
  };
}

/** One entity with many readers. */
export function hub(readers: number): Shape {
  return {
    entities: readers + 1,
    edges: Array.from({ length: readers }, (_, at): [number, number] => [0, at + 1]),
  };
}
