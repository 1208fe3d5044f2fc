/**
 * From decoded spans to records of `traces.spans`: receivers ask for `factAttributes`, hand what
 * they decoded to `factsOf`, and publish what `pack` makes of its facts.
 */
export { factsOf } from "./facts.ts";
export { pack, unpack } from "./records.ts";
export { factAttributes } from "./attributes.ts";
