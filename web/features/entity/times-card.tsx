import { Card, Facts } from "#web/kit/page.tsx";
import { Time } from "#web/kit/time.tsx";
import type { Details } from "#web/features/entity/details.ts";

/** When it was made, changed and told of, and by which source. */
export function TimesCard({ of }: { of: Details }) {
  const source = of.data_source;
  return (
    <Card title="About">
      <Facts
        of={[
          source && ["Source", <span key="s" className="foreign">{source.name}</span>],
          source?.namespace &&
          ["Namespace", <span key="n" className="foreign">{source.namespace.name}</span>],
          ["Created", <Time key="c" at={of.source_created_at} none="not told" />],
          ["Changed", <Time key="u" at={of.source_updated_at} none="not told" />],
          ["Ingested", <Time key="i" at={of.last_ingested_at} />],
          (of.version_list_total ?? 0) > 0 && ["Versions", of.version_list_total],
          ["Id", String(of.id)],
        ]}
      />
    </Card>
  );
}
