import { type RefObject, useEffect, useState } from "react";
import { plot } from "#web/components/chart/plot.ts";
import type { ChartProps } from "#web/components/chart/series.ts";

export interface Cursor {
  index: number;
  /** Pixels from the left edge of the chart. */
  left: number;
}

/** Keeps a chart drawn in an element: again when its data, its width or the colours change. */
export function usePlot(target: RefObject<HTMLDivElement | null>, props: ChartProps) {
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const width = useWidth(target);
  const colours = useColours();
  // Callers create their series on every render; the drawing changes only when the values do.
  const drawn = JSON.stringify([props.times, props.series, props.kind, props.stacked]);
  useEffect(() => {
    const element = target.current;
    if (!element || width === 0) return;
    const made = plot(element, {
      ...props,
      width,
      colour: (token) => resolved(element, token),
      onCursor: (at) => setCursor(at && { ...at, left: at.left + made.over.offsetLeft }),
    });
    return () => made.destroy();
  }, [target, width, colours, drawn]);
  return cursor;
}

function useWidth(target: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!target.current) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry!.contentRect.width))
    );
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return width;
}

/** A number that changes with the theme. */
function useColours(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const change = () => setVersion((now) => now + 1);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const chosen = new MutationObserver(change);
    scheme.addEventListener("change", change);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      scheme.removeEventListener("change", change);
      chosen.disconnect();
    };
  }, []);
  return version;
}

/** A token as it is in the theme of the element: a canvas knows no variables. */
function resolved(element: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
