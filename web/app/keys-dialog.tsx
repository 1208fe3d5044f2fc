import { Dialog } from "#web/kit/dialog.tsx";
import styles from "#web/app/keys-dialog.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

type Line = readonly [keys: string, does: PlainKey];

/** What the keys do, by where they do it. */
const sections: readonly (readonly [where: PlainKey, lines: readonly Line[]])[] = [
  ["app.everywhere", [
    ["Ctrl K", "app.keysFindAnything"],
    ["Tab", "app.keysSkip"],
    ["?", "app.keysThisList"],
    ["Esc", "app.keysClose"],
    ["Ctrl Enter", "app.keysSave"],
    ["F6", "app.keysUndo"],
  ]],
  ["app.search", [
    ["/", "app.keysToTheWords"],
    ["Enter", "app.keysToTheFirst"],
    ["j k", "app.keysPreview"],
    ["o", "app.keysOpenIt"],
  ]],
  ["app.alerts", [
    ["j k", "app.keysNext"],
    ["e", "app.keysResolve"],
    ["s", "app.keysSilence"],
    ["o x /", "app.keysOpenSelectSearch"],
  ]],
  ["app.lineage", [
    ["/", "app.keysFindInDrawing"],
    ["← → ↑ ↓", "app.keysWalkLines"],
    ["Home", "app.keysToTheStart"],
    ["Enter", "app.keysBoxMenu"],
    ["Space", "app.keysPaths"],
    ["f", "app.keysColumns"],
    ["j k", "app.keysNextColumn"],
    ["+ − 0", "app.keysZoom"],
  ]],
  ["app.treesAndTables", [
    ["↑ ↓", "app.keysWalkRows"],
    ["← →", "app.keysFold"],
    ["Home End", "app.keysFirstLast"],
  ]],
];

/** Every key that the interface knows. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t("app.keyboard")} wide>
      <div className={styles.places}>
        {sections.map(([where, lines]) => (
          <section key={where} aria-label={t(where)}>
            <h3>{t(where)}</h3>
            <dl>
              {lines.map(([keys, does]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{t(does)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
