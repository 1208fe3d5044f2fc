import { ArrowRight } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";
import { Facts } from "#web/kit/page.tsx";
import { SelectField } from "#web/kit/field.tsx";
import { oneOf, type Params, useParamsOfView } from "#web/kit/search-params.ts";
import { EntityLink, TabLink } from "#web/components/entity-link.tsx";
import { type End, type Erd, erdOf, type Side } from "#web/features/relationships/erd.ts";
import styles from "#web/features/relationships/relationships.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

type Details = Schema<"DataEntityRelationshipDetails">;

/** Everything about a relationship: the picture, and all of it as text. */
export function Relationship({ of }: { of: Details }) {
  const erd = erdOf(of);
  const { erd_relationship: keys, graph_relationship: graph } = of;
  const attributes = graph?.attributes ?? [];
  return (
    <div className={styles.one}>
      <Diagram of={erd} directed={graph?.is_directed ?? undefined} />
      <Facts
        of={[
          [
            t("relationships.from"),
            <EntityLink key="from" of={of.source_data_entity} tab="structure" />,
          ],
          [t("kit.to"), <EntityLink key="to" of={of.target_data_entity} tab="structure" />],
          erd.pairs.length > 0 && [t("relationships.fields"), <Pairs key="fields" of={erd} />],
          Boolean(keys?.cardinality) && [t("relationships.cardinality"), words(keys!.cardinality!)],
          keys?.is_identifying != null &&
          [t("relationships.identifying"), yes(keys.is_identifying)],
          graph?.is_directed != null &&
          [t("relationships.directed"), yes(graph.is_directed)],
          ...attributes.map(({ name, value }, at) =>
            [
              name ?? t("relationships.attribute", { number: at + 1 }),
              <span key={at} className="foreign">{value}</span>,
            ] as const
          ),
          [
            t("relationships.source"),
            <span key="source" className="foreign">{of.data_source.name}</span>,
          ],
        ]}
      />
    </div>
  );
}

function yes(value: boolean): string {
  return value ? t("relationships.yes") : t("relationships.no");
}

function Pairs({ of: { source, target, pairs } }: { of: Erd }) {
  return (
    <ul>
      {pairs.map(([from, to]) => (
        <li key={`${from} ${to}`}>
          <FieldLink entity={source.entity.id} of={source.fields[from]!} />{" "}
          <ArrowRight aria-label={t("kit.to2")} />{" "}
          <FieldLink entity={target.entity.id} of={target.fields[to]!} />
        </li>
      ))}
    </ul>
  );
}

function FieldLink({ entity, of }: { entity: number; of: End }) {
  if (of.id == null) return <span className="mono foreign">{of.name}</span>;
  return (
    <TabLink id={entity} tab="structure" search={{ field: String(of.id) }} className="mono foreign">
      {of.name}
    </TabLink>
  );
}

const [width, box, line, head] = [460, 170, 22, 28];
const heightOf = ({ fields }: Side) => head + Math.max(1, fields.length) * line + 6;
const middleOf = (field: number) => head + field * line + line / 2 + 3;

/** Both sides as boxes, their fields as lines, and what belongs together joined. */
function Diagram({ of, directed }: { of: Erd; directed?: boolean }) {
  const { source, target, pairs } = of;
  const height = Math.max(heightOf(source), heightOf(target)) + 2;
  const joints = pairs.length > 0 ? pairs : [[0, 0] as const];
  const right = width - box;
  return (
    <svg
      className={styles.diagram}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t("relationships.fromTo", { from: source.name, to: target.name }).slice(0, 300)}
    >
      {joints.map(([from, to]) => (
        <path
          key={`${from} ${to}`}
          className={styles.joint}
          d={`M${box} ${middleOf(from)} C${width / 2} ${middleOf(from)} ${width / 2} ${
            middleOf(to)
          } ${right - 1} ${middleOf(to)}`}
        />
      ))}
      {joints.map(([from, to]) => (
        <g key={`${from} ${to}`} className={styles.mark}>
          {!directed && <circle cx={box} cy={middleOf(from)} r="3.5" />}
          {directed
            ? <path d={`M${right} ${middleOf(to)} l-8 -4 v8 z`} />
            : <circle cx={right} cy={middleOf(to)} r="3.5" />}
        </g>
      ))}
      <Box of={source} x={0} />
      <Box of={target} x={right} />
    </svg>
  );
}

function Box({ of: { name, fields, ...side }, x }: { of: Side; x: number }) {
  return (
    <g>
      <rect
        className={styles.box}
        x={x + 0.5}
        y="0.5"
        width={box - 1}
        height={heightOf({ name, fields, ...side })}
        rx="6"
      />
      <text className={styles.name} x={x + 10} y="19">{cut(name, 22)}</text>
      <line className={styles.rule} x1={x} x2={x + box} y1={head} y2={head} />
      {fields.map((field, at) => (
        <text key={at} className={styles.field} x={x + 10} y={middleOf(at) + 4}>
          {cut(field.name, 21)}
        </text>
      ))}
    </g>
  );
}

/** The whole text stands below the picture. */
function cut(text: string, max: number): string {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : text;
}

/** Chooses which relationships are shown; the choice stands in the address. */
export function KindField() {
  const [params, change] = useParamsOfView();
  return (
    <SelectField
      label={t("relationships.kind")}
      hideLabel
      options={kindOptions()}
      value={kindOf(params)}
      onChange={({ target }) => change({ type: target.value === "ALL" ? undefined : target.value })}
    />
  );
}

/** Which relationships are requested. */
const names = {
  ALL: "relationships.keysAndGraph",
  ERD: "relationships.keysBetweenTables",
  GRAPH: "relationships.edgesOfAGraph",
} as const satisfies Record<string, PlainKey>;

type Kind = keyof typeof names;
const kinds = Object.keys(names) as Kind[];

/** The kind that the address names, else all. */
export function kindOf(params: Params): Kind {
  return oneOf(params.type, kinds) ?? "ALL";
}

/** Kinds with what they are called here. */
const kindOptions = () => kinds.map((kind) => [kind, t(names[kind])] as const);
