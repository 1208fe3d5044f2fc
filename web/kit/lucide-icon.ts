import { type ComponentProps, createElement } from "react";

/** What a file of an icon says of it. */
interface IconData {
  name: string;
  node: [tag: string, attributes: Record<string, string>][];
}

/**
 * In place of `createLucideIcon` of lucide-react (`vite.config.ts` puts it there): the same picture without what we
 * do not use, as it comes with the first load.
 */
export default function createIcon({ name, node }: IconData) {
  return (props: ComponentProps<"svg">) =>
    createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: 24,
        height: 24,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": true,
        "data-icon": name,
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}
