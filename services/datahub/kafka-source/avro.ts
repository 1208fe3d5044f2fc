import { objectOf, objectsOf, type RawObject, textOf, textsOf } from "#platform/datahub/values.ts";

/** Deepest nesting of a value, and of a schema. */
export const maxDepth = 100;
/** Maximum number of elements of one array or map. */
export const maxElements = 1_000_000;

/** Bytes that are no value of the schema, or a text that is no schema. */
export class AvroError extends Error {}

/** Reads values of one schema. */
export type AvroReader = (bytes: Uint8Array) => unknown;

type ValueReader = (input: Input) => unknown;

/**
 * A reader of values in the binary encoding of Avro 1.12, by the schema with which they were written. Records become
 * objects, `bytes` and `fixed` texts of UTF-8. Throws an `AvroError` for a text that is no schema; the reader throws one
 * for bytes that do not fit it.
 */
export function avroReader(schema: string): AvroReader {
  const read = new Compiler().compile(parsed(schema), "", 0);
  return (bytes) => read(new Input(bytes));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AvroError("the schema is not JSON");
  }
}

/** What is left of a value. */
class Input {
  #at = 0;
  depth = 0;
  readonly #view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A zigzag-encoded integer of at most 64 bits. */
  integer(): number {
    let [value, factor] = [0, 1];
    for (let count = 0; count < 10; count++) {
      const byte = this.#take(1);
      value += (this.bytes[byte]! & 0x7f) * factor;
      if (this.bytes[byte]! < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= 128;
    }
    throw new AvroError("an integer is longer than 64 bits");
  }

  boolean(): boolean {
    return this.bytes[this.#take(1)] === 1;
  }

  float(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  text(length: number): string {
    const at = this.#take(length);
    return new TextDecoder().decode(this.bytes.subarray(at, at + length));
  }

  #take(length: number): number {
    const at = this.#at;
    if (length < 0 || at + length > this.bytes.length) throw new AvroError("the value is cut off");
    this.#at += length;
    return at;
  }
}

const primitives = new Map<string, ValueReader>([
  ["null", () => null],
  ["boolean", (input) => input.boolean()],
  ["int", (input) => input.integer()],
  ["long", (input) => input.integer()],
  ["float", (input) => input.float()],
  ["double", (input) => input.double()],
  ["bytes", (input) => input.text(input.integer())],
  ["string", (input) => input.text(input.integer())],
]);

class Compiler {
  readonly #named = new Map<string, ValueReader>();

  compile(schema: unknown, namespace: string, depth: number): ValueReader {
    if (depth > maxDepth) throw new AvroError("the schema is nested too deeply");
    if (typeof schema === "string") return this.#reference(schema, namespace);
    if (Array.isArray(schema)) {
      return this.#union(schema.map((one) => this.compile(one, namespace, depth + 1)));
    }
    const given = objectOf(schema);
    if (!given) throw new AvroError("a schema must be a name, a list or an object");
    switch (given.type) {
      case "record":
      case "error":
      case "enum":
      case "fixed":
        return this.#defined(given, namespace, depth);
      case "array":
        return list(this.compile(given.items, namespace, depth + 1));
      case "map":
        return map(this.compile(given.values, namespace, depth + 1));
      default:
        return this.compile(given.type, namespace, depth + 1);
    }
  }

  #reference(name: string, namespace: string): ValueReader {
    const primitive = primitives.get(name);
    if (primitive) return primitive;
    const whole = name.includes(".") || namespace === "" ? name : `${namespace}.${name}`;
    // Looked up while reading, since a record may contain itself.
    return (input) => {
      const read = this.#named.get(whole) ?? this.#named.get(name);
      if (!read) throw new AvroError(`the schema does not define ${name}`);
      return read(input);
    };
  }

  #union(branches: ValueReader[]): ValueReader {
    return (input) => {
      const branch = branches[input.integer()];
      if (!branch) throw new AvroError("a union has no such branch");
      return branch(input);
    };
  }

  #defined(given: RawObject, outer: string, depth: number): ValueReader {
    const name = textOf(given.name);
    if (name === undefined) throw new AvroError("a named schema has no name");
    const whole = name.includes(".") ? name : [textOf(given.namespace) ?? outer, name]
      .filter((part) => part !== "").join(".");
    const read = this.#definition(
      given,
      whole.slice(0, Math.max(0, whole.lastIndexOf("."))),
      depth,
    );
    this.#named.set(whole, read);
    return read;
  }

  #definition(given: RawObject, namespace: string, depth: number): ValueReader {
    if (given.type === "enum") return enumeration(textsOf(given.symbols));
    if (given.type === "fixed") {
      const size = Number(given.size);
      return (input) => input.text(size);
    }
    const fields = objectsOf(given.fields).map((field) => (
      [textOf(field.name) ?? "", this.compile(field.type, namespace, depth + 1)] as const
    ));
    return (input) =>
      nested(input, () => Object.fromEntries(fields.map(([name, read]) => [name, read(input)])));
  }
}

function enumeration(symbols: string[]): ValueReader {
  return (input) => {
    const symbol = symbols[input.integer()];
    if (symbol === undefined) throw new AvroError("an enumeration has no such symbol");
    return symbol;
  };
}

function list(read: ValueReader): ValueReader {
  return (input) =>
    nested(input, () => {
      const all: unknown[] = [];
      eachBlock(input, () => void all.push(read(input)));
      return all;
    });
}

function map(read: ValueReader): ValueReader {
  return (input) =>
    nested(input, () => {
      const all: [string, unknown][] = [];
      eachBlock(input, () => void all.push([input.text(input.integer()), read(input)]));
      return Object.fromEntries(all);
    });
}

/** Elements come in blocks, of which a negative count is followed by the size in bytes. */
function eachBlock(input: Input, element: () => void): void {
  let elements = 0;
  for (;;) {
    const given = input.integer();
    if (given === 0) return;
    if (given < 0) input.integer();
    elements += Math.abs(given);
    if (elements > maxElements) throw new AvroError("a list is too long");
    for (let n = Math.abs(given); n > 0; n--) element();
  }
}

function nested<T>(input: Input, read: () => T): T {
  if (++input.depth > maxDepth) throw new AvroError("the value is nested too deeply");
  const value = read();
  input.depth--;
  return value;
}
