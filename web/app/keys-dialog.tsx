import { Dialog } from "#web/kit/dialog.tsx";
import styles from "#web/app/keys-dialog.module.css";
import { t } from "#web/messages/text.ts";

type Line = readonly [keys: string, does: string];

/** What the keys do, by where they do it. */
const sections: readonly (readonly [where: string, lines: readonly Line[]])[] = [
  ["Everywhere", [
    ["Ctrl K", "find anything: entities, terms, screens"],
    ["Tab", "the first one offers to skip to the content"],
    ["?", "this list"],
    ["Esc", "close what is open"],
    ["Ctrl Enter", "save what is being written"],
    ["F6", "to the latest message and its Undo"],
  ]],
  ["Search", [
    ["/", "to the words"],
    ["Enter", "from the words to the first that is found"],
    ["j k", "preview the next or the one before"],
    ["o", "open it"],
  ]],
  ["Alerts", [
    ["j k", "the next or the one before"],
    ["e", "resolve, or open again"],
    ["s", "silence alerts like it"],
    ["o x /", "open its entity, select it, search"],
  ]],
  ["Lineage", [
    ["/", "find in the drawing; Esc goes on there"],
    ["← → ↑ ↓", "walk along lines and within a column"],
    ["Home", "to the start of the drawing"],
    ["Enter", "what can be done with the box"],
    ["Space", "all paths through it; with Shift between two"],
    ["f", "show its columns, or hide them; in its table too"],
    ["j k", "the next of its columns, or the one before"],
    ["+ − 0", "zoom, and fit all in"],
  ]],
  ["Trees and tables", [
    ["↑ ↓", "walk the rows"],
    ["← →", "fold and unfold; in the rows of lineage, along its lines"],
    ["Home End", "the first and the last"],
  ]],
];

/** Every key that the interface knows. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t("app.keyboard")} wide>
      <div className={styles.places}>
        {sections.map(([where, lines]) => (
          <section key={where} aria-label={where}>
            <h3>{where}</h3>
            <dl>
              {lines.map(([keys, does]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
