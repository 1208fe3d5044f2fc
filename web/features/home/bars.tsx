import styles from "#web/features/home/home.module.css";

const height = 32;

/** A picture of a few numbers next to a text with the same content: a bar for each, the highest as high as the picture. */
export function Bars({ of }: { of: number[] }) {
  const most = of.reduce((max, one) => Math.max(max, one), 1);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${of.length * 10} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {of.map((one, at) => {
        const size = one === 0 ? 1 : Math.max(3, one / most * height);
        return <rect key={at} x={at * 10 + 1} width={8} y={height - size} height={size} />;
      })}
    </svg>
  );
}
