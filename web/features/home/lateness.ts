import type { Schema } from "#web/api/client.ts";

export interface Fresh<Asset> {
  asset: Asset;
  freshness: Schema<"Freshness">;
}

/** Assets of which freshness is known: late ones first, of these the one that is late for the most of its usual gaps. */
export function byLateness<Asset extends { id: number }>(
  assets: Asset[],
  healths: Pick<Schema<"AssetHealth">, "id" | "freshness">[],
  now = Date.now(),
): Fresh<Asset>[] {
  const known = new Map(healths.map(({ id, freshness }) => [id, freshness]));
  const gaps = ({ freshness: { last_updated_at: at, usual_gap_seconds: gap } }: Fresh<Asset>) =>
    (now - Date.parse(at)) / (gap * 1_000);
  const isLate = ({ freshness }: Fresh<Asset>) => freshness.state === "LATE" ? 1 : 0;
  return assets
    .flatMap((asset) => {
      const freshness = known.get(asset.id);
      return freshness ? [{ asset, freshness }] : [];
    })
    .sort((a, b) => isLate(b) - isLate(a) || gaps(b) - gaps(a));
}
