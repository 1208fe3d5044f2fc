import type { LineageNode } from "#web/graph/model.ts";

/** The words of the drawing, so that they can be those of another language. */
export interface Labels {
  /** What an entity is: `table`. */
  kind(node: LineageNode): string;
  /** Several of a kind: `37 tables of shop`. The kind is null where they differ, the source where they have none. */
  siblings(count: number, alike: LineageNode, sameType: boolean): string;
  /** Under the name of a folded group; 0 while its members are not loaded. */
  group(members: number): string;
  jobs(count: number): string;
}

export const english: Labels = {
  kind: (node) => words(node.type ?? node.classes[0] ?? "entity"),
  siblings(count, alike, sameType) {
    const kind = sameType && alike.type ? alike.type : alike.classes[0] ?? "entity";
    const of = alike.source ? ` of ${alike.source.name}` : "";
    return `${count} ${plural(words(kind))}${of}`;
  },
  group: (members) => (members === 0 ? "group" : `group of ${members}`),
  jobs: (count) => `${count} jobs`,
};

function words(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

function plural(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
