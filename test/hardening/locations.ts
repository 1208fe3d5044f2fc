import { type Offer, type Schema, typeOf } from "./openapi.ts";

/** Somewhere in a body where a client may put more than it should. */
export interface InputLocation {
  /** As error bodies write it: `items[].dataset.field_list`. */
  path: string;
  kind: "list" | "map" | "text" | "number";
  /** JSON before and after what stands there; all else of the body is as small as it may be. */
  before: string;
  after: string;
  /** JSON of a sound element of a list. */
  element: string;
}

/** Stands in the body where the filling goes. */
const mark = "\u0001here\u0001";

/** Every place of a body: lists, maps with free keys, texts and numbers, optional ones too. */
export function locationsOf(offer: Offer, schema: Schema): InputLocation[] {
  const locations: InputLocation[] = [];
  const walk = (given: Schema, path: string, around: (inner: unknown) => unknown): void => {
    const choices = given.oneOf ?? given.anyOf;
    if (choices) return choices.forEach((choice) => walk(choice, path, around));
    const known = offer.resolved(given);
    if (known.oneOf ?? known.anyOf) return walk(known, path, around);
    const add = (kind: InputLocation["kind"], element = "0") => {
      const [before = "", after = ""] = JSON.stringify(around(mark)).split(JSON.stringify(mark));
      locations.push({ path, kind, before, after, element });
    };
    const type = typeOf(known);
    if (known.enum || (type === "string" && known.format)) return;
    switch (type) {
      case "object":
        walkObject(offer, known, path, around, walk);
        if (known.additionalProperties) add("map");
        return;
      case "array":
        add("list", JSON.stringify(offer.example(known.items ?? {})));
        return walk(known.items ?? {}, `${path}[]`, (inner) => around([inner]));
      case "integer":
      case "number":
        return add("number");
      case "string":
        return add("text");
    }
  };
  walk(schema, "", (inner) => inner);
  return locations;
}

function walkObject(
  offer: Offer,
  known: Schema,
  path: string,
  around: (inner: unknown) => unknown,
  walk: (schema: Schema, path: string, around: (inner: unknown) => unknown) => void,
): void {
  const min = offer.example(known) as Record<string, unknown>;
  for (const [name, child] of Object.entries(known.properties ?? {})) {
    const below = path === "" ? name : `${path}.${name}`;
    walk(child, below, (inner) => around({ ...min, [name]: inner }));
  }
  if (typeof known.additionalProperties === "object") {
    walk(known.additionalProperties, `${path}.*`, (inner) => around({ ...min, k: inner }));
  }
}

/** What a place is filled with. */
export const fillings = {
  "empty objects": { of: ["list"], unit: () => "{}", join: ["[", "]"] },
  "sound elements": {
    of: ["list"],
    unit: ({ element }: InputLocation, n: number) => element.replaceAll('"x"', `"//w/${n}"`),
    join: ["[", "]"],
  },
  "many keys": {
    of: ["map"],
    unit: (_: InputLocation, n: number) => `"k${n}":0`,
    join: ["{", "}"],
  },
  "one long text": { of: ["text"], unit: () => "x".repeat(1_000), join: ['"', '"'] },
  "one long number": { of: ["number"], unit: () => "1".repeat(1_000), join: ["", ""] },
} as const;

export type FillingName = keyof typeof fillings;

/** The body with that place filled up to `bytes`; null where the filling does not fit the place. */
export function filled(place: InputLocation, filling: FillingName, bytes: number): string | null {
  const { of, unit, join: [open, close] } = fillings[filling];
  if (!(of as readonly string[]).includes(place.kind)) return null;
  const separator = place.kind === "list" || place.kind === "map" ? "," : "";
  const capacity = bytes - place.before.length - place.after.length - 2;
  if (unit(place, 0) === unit(place, 1)) {
    const one = unit(place, 0) + separator;
    const many = one.repeat(Math.floor(capacity / one.length));
    const whole = separator ? many.slice(0, -1) : many;
    return place.before + open + whole + close + place.after;
  }
  const units: string[] = [];
  for (let length = 0, n = 0; length < capacity; n++) {
    units.push(unit(place, n));
    length += units.at(-1)!.length + 1;
  }
  units.pop();
  return place.before + open + units.join(separator) + close + place.after;
}
