import { pick, type Random, textOf, value, word } from "./words.ts";

type JsonObject = Record<string, unknown>;

/** A place of a tree: what holds it, and by which key or index. */
interface Spot {
  parent: JsonObject;
  key: string;
}

/** A copy of a sound tree in which one to four things are not as they should be. */
export function mutated(tree: unknown, random: Random): unknown {
  const root = { root: structuredClone(tree) };
  const times = 1 + Math.floor(random() * random() * 4);
  for (let n = 0; n < times; n++) {
    const spots = spotsOf(root, []);
    pick(random, changes)(pick(random, spots), random, spots);
  }
  return root.root;
}

/** Its JSON, now and then damaged as text. */
export function mutatedText(tree: unknown, random: Random): string {
  const text = textOf(mutated(tree, random));
  return random() < 0.05 ? damaged(text, random) : text;
}

const maxSpots = 2_000;

function spotsOf(parent: JsonObject, found: Spot[]): Spot[] {
  for (const key of Object.keys(parent)) {
    if (found.length >= maxSpots) break;
    found.push({ parent, key });
    const inner = parent[key];
    if (typeof inner === "object" && inner !== null) spotsOf(inner as JsonObject, found);
  }
  return found;
}

type Mutation = (spot: Spot, random: Random, spots: Spot[]) => void;

/** By definition, since assigning `__proto__` would make it no key. */
function put({ parent, key }: Spot, value: unknown): void {
  Object.defineProperty(parent, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

const replace: Mutation = (spot, random) => put(spot, value(random));

const remove: Mutation = ({ parent, key }) => {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (key !== "root") delete parent[key];
};

const rename: Mutation = ({ parent, key }, random) => {
  if (Array.isArray(parent) || key === "root") return;
  const previous = parent[key];
  delete parent[key];
  put({ parent, key: word(random) }, previous);
};

const add: Mutation = ({ parent, key }, random) => {
  const inner = parent[key];
  if (Array.isArray(inner)) inner.push(value(random));
  else if (typeof inner === "object" && inner !== null) {
    put({ parent: inner as JsonObject, key: word(random) }, value(random));
  }
};

const repeat: Mutation = ({ parent, key }, random) => {
  const inner = parent[key];
  if (Array.isArray(inner) && inner.length > 0) {
    const one = pick(random, inner);
    for (let n = Math.floor(random() * 40); n > 0; n--) inner.push(structuredClone(one));
  }
};

const wrap: Mutation = (spot, random) => {
  let inner = spot.parent[spot.key];
  for (let n = Math.floor(random() * 110); n > 0; n--) inner = n % 2 === 0 ? [inner] : { a: inner };
  put(spot, inner);
};

const swap: Mutation = (spot, random, spots) => {
  const other = pick(random, spots);
  put(spot, structuredClone(other.parent[other.key]));
};

const splice: Mutation = (spot, random) => {
  const previous = spot.parent[spot.key];
  if (typeof previous !== "string") return replace(spot, random, []);
  const at = Math.floor(random() * (previous.length + 1));
  put(spot, previous.slice(0, at) + word(random) + previous.slice(at));
};

const changes: Mutation[] = [
  replace,
  replace,
  replace,
  splice,
  splice,
  rename,
  add,
  remove,
  repeat,
  wrap,
  swap,
];

function damaged(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  return pick(random, [
    text.slice(0, at),
    text.slice(at),
    text.slice(0, at) + word(random) + text.slice(at),
    text + text,
    `\ufeff${text}`,
    text.replaceAll("catrn", "oddrn"),
    text.replaceAll('"', "'"),
  ]);
}

/** Bytes of a message with a few of them changed, cut, doubled or made up. */
export function damagedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = Math.floor(random() * copy.length);
  if (random() < 0.15) return copy.subarray(0, at);
  if (random() < 0.1) return Uint8Array.from([...copy, ...copy.subarray(at)]);
  for (let n = 1 + Math.floor(random() * 4); n > 0; n--) {
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  }
  return copy;
}
