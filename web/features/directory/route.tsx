import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { read } from "#web/api/client.ts";
import { classes } from "#web/kit/classes.ts";
import { shortCount } from "#web/kit/numbers.ts";
import { Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { SourceEntities } from "#web/features/directory/entities.tsx";
import styles from "#web/features/directory/directory.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** Everything by where it comes from: kinds of sources, sources, and what they hold. */
export function DirectoryScreen() {
  const [{ source }] = useParamsOfView();
  const kinds = useQuery(read("/api/directory"));
  return (
    <Page title={t("directory.directory")} about={t("directory.allAssetsBySource")}>
      <div className={styles.columns}>
        <nav aria-label={t("directory.sources")} className={styles.tree}>
          <Shown of={kinds} what={t("directory.directory2")} bones={6}>
            {({ items }) =>
              items.length === 0
                ? (
                  <Empty title={t("directory.noSourceYet")}>
                    <Rich
                      of="directory.hasWhatCollectorsNeed"
                      values={{
                        link: (
                          <Link to="/management/$section" params={{ section: "integrations" }}>
                            {t("directory.integrations")}
                          </Link>
                        ),
                      }}
                    />
                  </Empty>
                )
                : items.map((one) => <Kind key={one.prefix} {...one} />)}
          </Shown>
        </nav>
        <div>
          {source
            ? <SourceEntities key={source} id={Number(source)} />
            : (
              <Empty title={t("directory.chooseASource")}>
                {t("directory.itsAssetsAreListedHere")}
              </Empty>
            )}
        </div>
      </div>
    </Page>
  );
}

/** A kind of sources, such as PostgreSQL, with its sources when it is open. */
function Kind(
  { prefix, name, entities_count }: { prefix: string; name: string; entities_count: number },
) {
  const [params, change] = useParamsOfView();
  const open = params.kind === prefix;
  return (
    <div>
      <button
        type="button"
        className={styles.kind}
        aria-expanded={open}
        onClick={() => change({ kind: open ? undefined : prefix }, true)}
      >
        <ChevronRight aria-hidden />
        <span className="truncate">{name}</span>
        <span className="soft">{shortCount(entities_count)}</span>
      </button>
      {open && <Sources prefix={prefix} />}
    </div>
  );
}

function Sources({ prefix }: { prefix: string }) {
  const [params] = useParamsOfView();
  const result = useQuery(read("/api/directory/datasources", { params: { query: { prefix } } }));
  return (
    <Shown of={result} what={t("directory.sources2")}>
      {({ items }) => (
        <ul>
          {items.map(({ id, name, properties, entities_count }) => (
            <li key={id}>
              <Link
                to="/directory"
                search={{ kind: prefix, source: String(id) } as never}
                className={classes(styles.source, params.source === String(id) && styles.chosen)}
                aria-current={params.source === String(id) ? "true" : undefined}
                title={Object.entries(properties).map(([key, value]) => `${key}: ${value}`).join(
                  "\n",
                )}
              >
                <span className="truncate">{name}</span>
                <span className="soft">{shortCount(entities_count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
}
