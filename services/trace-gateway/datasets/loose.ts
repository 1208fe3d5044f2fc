import { own } from "#kit/own.ts";
import { fill, type Named, type Values } from "./templates.ts";

/** How a dataset may be found that is not catalogued under the very CATRN of its template. */
export interface Loose {
  system: string;
  target: string | null;
  schemaGuessed: boolean;
  template: string;
  values: Values;
  /**
   * CATRNs under which it may stand: that of its database by the template, and those of data sources
   * that differ from it by host case and port only. One with the port of the span outdoes the others.
   */
  rootsAmong(sources: string[]): string[];
}

/** `address` is that of the span, null when it told none: then any host of the system will do. */
export function looseOf({ template, values, schemaGuessed }: Named, address: string | null): Loose {
  const root = rootOf(template);
  const pattern = looseRoot(root, values);
  const port = /:(\d+)$/.exec(address ?? "")?.[1];
  return {
    system: values.system!,
    target: values.target,
    schemaGuessed: schemaGuessed && template.includes("{schema}"),
    template,
    values,
    rootsAmong(sources) {
      const like = sources.filter((source) => pattern.test(source.toLowerCase()));
      const samePort = like.filter((s) => port !== undefined && s.includes(`:${port}`));
      return [...new Set([fill(root, values), ...(samePort.length > 0 ? samePort : like)])];
    },
  };
}

/** The part of a template that names the database: everything before schema and target. */
function rootOf(template: string): string {
  return template.replace(/\/[^/{}]*\/\{(?:schema|target)\}[^]*/, "");
}

function looseRoot(root: string, values: Values): RegExp {
  const quoted = (text: string) => RegExp.escape(text.toLowerCase());
  const source = root.split(/(\{[^{}]*\})/).map((piece) => {
    const name = piece.startsWith("{") ? piece.slice(1, -1) : undefined;
    if (name === undefined) return quoted(piece);
    if (name === "port") return "\\d+";
    if (name === "host" || name === "address") {
      return values.host === null ? "[^/]+" : `${quoted(values.host)}(?::\\d+)?`;
    }
    const value = own(values, name) ?? null;
    return value === null ? "[^/]+" : quoted(value);
  });
  // expression-ok -- escaped texts, and one class that ends at a slash for each placeholder
  return new RegExp(`^${source.join("")}$`);
}

/** The names that a dataset may have under one root: letter case as seen or lower, table or view. */
export function namesUnder(root: string, { template, values }: Loose): string[] {
  const rest = template.slice(rootOf(template).length);
  const targets = new Set([values.target!, values.target!.toLowerCase()]);
  const rests = new Set([rest, rest.replace("/tables/", "/views/")]);
  return [...rests].flatMap((rest) =>
    // What stands for a root needs no filling: it is a CATRN already.
    [...targets].map((target) => root + fill(rest, { ...values, target }))
  );
}
