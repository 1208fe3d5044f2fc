import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { refresh, retryFailed } from "#web/api/client.ts";

/** Whether changes arrive: `lost` while the connection is being made again. */
type LiveState = "connecting" | "live" | "lost";
const LiveContext = createContext<LiveState>("connecting");

export function useLiveState(): LiveState {
  return useContext(LiveContext);
}

/** Paths whose answers a kind of change makes old. */
const touched = new Map([
  ["alert", ["/api/alerts", "/api/dataentities/{data_entity_id}/alerts"]],
  ["activity", ["/api/activity", "/api/dataentities", "/api/datasets", "/api/datasetfields"]],
  ["ingestion", [
    "/api/dataentities",
    "/api/datasets",
    "/api/datasources/arrivals",
    "/api/directory",
    "/api/integrations",
    "/api/ops/history",
    "/api/search",
  ]],
  // A batch is reported when it is applied; its lineage shows once the graph has come so far.
  ["projection", [
    "/api/ops/projection",
    "/api/dataentities/{data_entity_id}/lineage",
    "/api/dataentitygroups/{data_entity_group_id}/lineage",
  ]],
  ["reset", ["/api/"]],
]);

/** Milliseconds in which changes are gathered, so that a busy catalogue does not read everything at each. */
const gatherMs = 1_000;

/** Follows what changes, so that what is shown is read again when it is old. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    const old = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const invalidate = () => {
      timer = undefined;
      const prefixes = [...old];
      old.clear();
      void refresh(queries, ...prefixes);
    };
    let over = false;
    let lost = false;
    let stop = () => {};
    // The screen comes first.
    import("#web/components/follow.ts").then(({ follow }) => {
      if (over) return;
      stop = follow({
        connected: (live) => {
          // What failed meanwhile is not among the changes of the stream.
          if (live && lost) void retryFailed(queries);
          lost = !live;
          setState(live ? "live" : "lost");
        },
        changed(kind) {
          for (const prefix of touched.get(kind) ?? []) old.add(prefix);
          if (old.size > 0) timer ??= setTimeout(invalidate, gatherMs);
        },
      });
    }, () => setState("lost"));
    return () => {
      over = true;
      stop();
      clearTimeout(timer);
    };
  }, [queries]);
  return <LiveContext value={state}>{children}</LiveContext>;
}
