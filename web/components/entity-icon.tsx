import {
  BarChart3,
  Boxes,
  CircleHelp,
  FlaskConical,
  LogIn,
  type LucideIcon,
  Share2,
  ShieldCheck,
  Table2,
  Workflow,
} from "lucide-react";
import { classes } from "#web/kit/classes.ts";
import { words } from "#web/kit/numbers.ts";
import styles from "#web/components/entity.module.css";
import { t } from "#web/messages/text.ts";

/** How a class of entities looks; the first class of an entity that is listed decides. */
const iconStyles: [name: string, look: { icon: LucideIcon; colour: string }][] = [
  ["DATA_RELATIONSHIP", { icon: Share2, colour: "relationship" }],
  ["DATA_ENTITY_GROUP", { icon: Boxes, colour: "group" }],
  ["DATA_QUALITY_TEST_RUN", { icon: FlaskConical, colour: "quality" }],
  ["DATA_QUALITY_TEST", { icon: ShieldCheck, colour: "quality" }],
  ["DATA_SET", { icon: Table2, colour: "dataset" }],
  ["DATA_TRANSFORMER_RUN", { icon: Workflow, colour: "transformer" }],
  ["DATA_TRANSFORMER", { icon: Workflow, colour: "transformer" }],
  ["DATA_CONSUMER", { icon: BarChart3, colour: "consumer" }],
  ["DATA_INPUT", { icon: LogIn, colour: "input" }],
];
const unknown = { icon: CircleHelp, colour: "group" };

export function EntityIcon({ of }: { of: { name: string }[] | null | undefined }) {
  const names = new Set((of ?? []).map(({ name }) => name));
  const [name, style] = iconStyles.find(([known]) => names.has(known)) ?? [undefined, unknown];
  const Icon = style.icon;
  return (
    <span
      className={classes(styles.icon, styles[style.colour])}
      title={name ? words(name) : t("components.noDataYet")}
    >
      <Icon aria-hidden />
    </span>
  );
}
