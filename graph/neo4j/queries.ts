import type { Direction } from "#graph/port.ts";

/** Queries of one instance; instances that share a database differ by label and relationship type. */
export interface Queries {
  constraints: { create: string; dropIndex: string }[];
  begin: string;
  position: string;
  walk(direction: Direction, bound: number): string;
  step(direction: Direction): string;
  detail(direction: Direction): string;
  firstLevel(direction: Direction): string;
  among: string;
  neighbours(direction: Direction): string;
  claim: string;
  fence: string;
  touching: string;
  remove: string;
  create: string;
  prune: string;
  advance: string;
  clear: string;
  scan: string;
}

/** The release of the engine. */
export const versionText =
  "CALL dbms.components() YIELD versions RETURN versions[0] AS version LIMIT 1";

const instanceName = /^[a-z][a-z0-9_-]{0,39}$/;

/**
 * Cypher has no parameters for labels and relationship types, so they are inserted, quoted, from the
 * validated instance name. Throws on any other name.
 */
export function queriesFor(instance: string): Queries {
  if (!instanceName.test(instance)) throw new Error(`not an instance name: ${instance}`);
  const names: Names = {
    entity: `\`Entity:${instance}\``,
    feeds: `\`FEEDS:${instance}\``,
    projection: `(q:\`Projection:${instance}\` {one: true})`,
  };
  const hop = (direction: Direction) =>
    direction === "downstream" ? `-[:${names.feeds}]->` : `<-[:${names.feeds}]-`;
  return { ...readingQueries(names, hop), ...writingQueries(names, instance) };
}

interface Names {
  entity: string;
  feeds: string;
  projection: string;
}

/**
 * Has a MATCH look up `node` by its id. While a graph is being filled, the planner knows how many entities there are
 * before it knows that their ids are distinct, and would read all of them for each id.
 */
const byId = (node: string, entity: string) => `USING INDEX SEEK ${node}:${entity}(id)`;

/** The columns returned for each entity `m`; `followed` is the condition for returning its neighbours. */
const facts = (feeds: string, hop: string, followed: string) => `
  RETURN collect(m.id) AS ids, collect(d) AS distances,
    collect(COUNT { (m)<-[:${feeds}]-() }) AS parents,
    collect(COUNT { (m)-[:${feeds}]->() }) AS children,
    collect(COLLECT { MATCH (m)${hop}(n) WHERE ${followed} RETURN n.id }) AS far`;

/**
 * The neighbours of `$roots`, up to a limit, and the relationships between them and the roots, which are read from the
 * neighbours.
 */
const firstLevel = ({ entity, feeds }: Pick<Names, "entity" | "feeds">, hop: string) => `
CALL () {
  UNWIND $roots AS root
  MATCH (r:${entity} {id: root})${hop}(m)
  ${byId("r", entity)}
  WITH DISTINCT m WHERE NOT m.id IN $roots
  WITH m ORDER BY m.id LIMIT $room
  RETURN collect(m.id) AS ids, collect(COUNT { (m)<-[:${feeds}]-() }) AS parents,
    collect(COUNT { (m)-[:${feeds}]->() }) AS children
}
CALL (ids) {
  UNWIND ids + $roots AS id
  MATCH (t:${entity} {id: id})
  ${byId("t", entity)}
  WITH t
  MATCH (s)${hop}(t) WHERE s.id IN $roots
  RETURN collect(s.id) AS near, collect(t.id) AS far
}
RETURN ids, parents, children, near, far`;

function readingQueries({ entity, feeds, projection }: Names, hop: (d: Direction) => string) {
  const positionOf = `OPTIONAL MATCH ${projection} WITH coalesce(q.position, 0) AS position`;
  return {
    position: `${positionOf} RETURN position`,
    // Neo4j plans the least length of a path as a lazy breadth-first expansion that visits each node once, by
    // distance, so that LIMIT ends it. Reading anything else of the path or its relationships loses that plan
    // (a test checks it).
    walk: (direction: Direction, bound: number) => `
${positionOf}
OPTIONAL MATCH (s:${entity} {id: $root})
${byId("s", entity)}
CALL (s) {
  MATCH p = (s)${hop(direction).replace("]", `*0..${levels(bound)}]`)}(m)
  WITH m, min(length(p)) AS d LIMIT $limit${facts(feeds, hop(direction), "d < $depth")}
}
RETURN position, ids, distances, parents, children, far`,
    step: (direction: Direction) => `
UNWIND $ids AS id
MATCH (s:${entity} {id: id})${hop(direction)}(m)
${byId("s", entity)}
WITH DISTINCT m LIMIT $limit
RETURN collect(m.id) AS ids`,
    detail: (direction: Direction) => `
UNWIND range(0, size($ids) - 1) AS i
MATCH (m:${entity} {id: $ids[i]})
${byId("m", entity)}
WITH m, $distances[i] AS d${facts(feeds, hop(direction), "d < $whole")}`,
    firstLevel: (direction: Direction) => firstLevel({ entity, feeds }, hop(direction)),
    among: `
${positionOf}
CALL () {
  UNWIND $ids AS id
  MATCH (a:${entity} {id: id})-[:${feeds}]->(b)
  ${byId("a", entity)}
  WHERE b.id IN $ids
  RETURN collect(a.id) AS parents, collect(b.id) AS children
}
RETURN position, parents, children`,
    neighbours: (direction: Direction) => `
UNWIND $ids AS id
MATCH (s:${entity} {id: id})${hop(direction)}(m)
${byId("s", entity)}
WITH DISTINCT m WHERE NOT m.id IN $ids
RETURN collect(m.id) AS ids`,
    scan: `
MATCH (a:${entity}) WHERE a.id > $after
WITH a ORDER BY a.id LIMIT $size
RETURN collect(a.id) AS ids, collect(COLLECT { MATCH (a)-[:${feeds}]->(b) RETURN b.id }) AS children`,
  };
}

/** The bound of a path length, which Cypher cannot take as a parameter. */
function levels(bound: number): number {
  if (!Number.isSafeInteger(bound) || bound < 1) throw new Error(`not a depth: ${bound}`);
  return bound;
}

/** Creates a constraint, which has an index of its name; `dropIndex` takes that index away if it has no constraint. */
function uniqueness(name: string, required: string) {
  return {
    create: `CREATE CONSTRAINT \`${name}\` IF NOT EXISTS FOR ${required} IS UNIQUE`,
    dropIndex: `DROP INDEX \`${name}\` IF EXISTS`,
  };
}

function writingQueries({ entity, feeds, projection }: Names, instance: string) {
  return {
    constraints: [
      uniqueness(`entity_id:${instance}`, `(n:${entity}) REQUIRE n.id`),
      uniqueness(
        `projection_one:${instance}`,
        `${projection.replace(" {one: true}", "")} REQUIRE q.one`,
      ),
    ],
    begin: `MERGE ${projection} ON CREATE SET q.epoch = 0, q.position = 0`,
    // The first write locks the node; what is read afterwards is the state that the last holder left.
    claim: `
MERGE ${projection} ON CREATE SET q.epoch = 0, q.position = 0
SET q.locked = true
WITH q
SET q.epoch = CASE WHEN q.epoch < $epoch THEN $epoch ELSE q.epoch END
RETURN q.epoch AS epoch, q.position AS position`,
    fence: `MATCH ${projection} SET q.locked = true WITH q RETURN q.epoch AS epoch`,
    touching: `
UNWIND $ids AS id
MATCH (n:${entity} {id: id})-[r:${feeds}]-()
${byId("n", entity)}
WITH DISTINCT r
RETURN collect(startNode(r).id) AS parents, collect(endNode(r).id) AS children`,
    // Both ends first: a relationship is then looked for at the end that has fewer.
    remove: `
UNWIND range(0, size($parents) - 1) AS i
MATCH (a:${entity} {id: $parents[i]})
${byId("a", entity)}
MATCH (b:${entity} {id: $children[i]})
${byId("b", entity)}
CALL (a, b) {
  MATCH (a)-[r:${feeds}]->(b)
  DELETE r
}`,
    create: `
UNWIND range(0, size($parents) - 1) AS i
MERGE (a:${entity} {id: $parents[i]})
MERGE (b:${entity} {id: $children[i]})
MERGE (a)-[:${feeds}]->(b)`,
    prune: `
UNWIND $ids AS id
MATCH (n:${entity} {id: id})
${byId("n", entity)}
WHERE NOT EXISTS { (n)-[:${feeds}]-() }
DELETE n`,
    advance: `MATCH ${projection} SET q.position = $position`,
    clear: `
MATCH (n:${entity}) WITH n LIMIT $size
DETACH DELETE n
RETURN count(*) AS removed`,
  };
}
