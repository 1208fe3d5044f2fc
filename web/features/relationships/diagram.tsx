import type { Erd, Side } from "#web/features/relationships/erd.ts";
import styles from "#web/features/relationships/relationships.module.css";
import { t } from "#web/messages/text.ts";

const [width, box, line, head] = [460, 170, 22, 28];
const heightOf = ({ fields }: Side) => head + Math.max(1, fields.length) * line + 6;
const middleOf = (field: number) => head + field * line + line / 2 + 3;

/** Both sides as boxes, their fields as lines, and what belongs together joined. */
export function Diagram({ of, directed }: { of: Erd; directed?: boolean }) {
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
