/** A directed import between two files of the repository. */
export interface Edge {
  from: string;
  to: string;
}

/**
 * Groups of names that import each other in a cycle, sorted; none is allowed. `nameOf` maps a file to the
 * name it counts as (itself, its feature); imports within one name do not count. Tarjan, "Depth-first search
 * and linear graph algorithms" (1972), with an explicit stack.
 */
export function cycles(edges: Edge[], nameOf: (file: string) => string | null): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const [a, b] = [nameOf(from), nameOf(to)];
    if (a === null || b === null || a === b) continue;
    next.set(a, (next.get(a) ?? new Set()).add(b));
  }
  return components(next).filter((group) => group.length > 1)
    .map((group) => group.sort())
    .sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
}

interface Visit {
  name: string;
  rest: Iterator<string>;
}

function components(next: Map<string, Set<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  const enter = (name: string): Visit => {
    order.set(name, order.size);
    low.set(name, order.get(name)!);
    open.push(name);
    isOpen.add(name);
    return { name, rest: (next.get(name) ?? new Set<string>()).values() };
  };
  const lower = (name: string, to: number) => low.set(name, Math.min(low.get(name)!, to));
  const leave = (name: string) => {
    if (low.get(name) !== order.get(name)) return;
    const group = open.splice(open.indexOf(name));
    for (const member of group) isOpen.delete(member);
    found.push(group);
  };
  for (const start of next.keys()) {
    const path = order.has(start) ? [] : [enter(start)];
    while (path.length > 0) {
      const at = path.at(-1)!;
      const { value, done } = at.rest.next();
      if (done) {
        path.pop();
        leave(at.name);
        if (path.length > 0) lower(path.at(-1)!.name, low.get(at.name)!);
      } else if (!order.has(value)) path.push(enter(value));
      else if (isOpen.has(value)) lower(at.name, order.get(value)!);
    }
  }
  return found;
}
