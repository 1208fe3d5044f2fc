/** What a follower receives. */
export interface Follower {
  /** Something of this kind changed; `reset` when all may have. */
  changed: (kind: string) => void;
  /** Whether changes arrive now. */
  connected: (live: boolean) => void;
}

/** Kinds of events that the service names. */
const kinds = ["alert", "activity", "ingestion", "projection", "reset"];
/** Milliseconds before a stream that was refused is requested again: doubled each time, up to the second. */
const [firstWaitMs, longestWaitMs] = [2_000, 60_000];
/** Milliseconds to connect after which something may have been missed since the page was read. */
const slowMs = 1_000;
const channelName = "tributary.changes";

/** What tabs say to each other; one that has just opened asks how it stands. */
type TabMessage = { changed: string } | { live: boolean } | { asks: true };

/**
 * Follows what changes in the catalogue until the returned function is called. Browsers open few connections to one
 * host, so of all tabs one holds the stream and tells the others; where tabs cannot agree (no secure context), each has
 * its own.
 */
export function follow(follower: Follower): () => void {
  const ended = new AbortController();
  const broadcast = (message: TabMessage) => {
    if ("live" in message) follower.connected(message.live);
    if ("changed" in message) follower.changed(message.changed);
  };
  if (!navigator.locks || typeof BroadcastChannel === "undefined") {
    stream(broadcast, ended.signal);
    return () => ended.abort();
  }
  const others = new BroadcastChannel(channelName);
  others.onmessage = ({ data }) => broadcast(data as TabMessage);
  const whenEnded = new Promise<void>((done) =>
    ended.signal.addEventListener("abort", () => done())
  );
  const lead = () => {
    let live = false;
    const say = (message: TabMessage) => {
      if ("live" in message) live = message.live;
      if (ended.signal.aborted) return;
      broadcast(message);
      others.postMessage(message);
    };
    others.onmessage = ({ data }) => "asks" in data && others.postMessage({ live });
    stream(say, ended.signal);
    return whenEnded;
  };
  // Released when this tab closes; another one takes over then.
  navigator.locks.request(channelName, { signal: ended.signal }, lead).catch(() => {});
  others.postMessage({ asks: true });
  return () => {
    ended.abort();
    others.close();
  };
}

/** One stream, made again with where it was when it is lost or refused. */
function stream(broadcast: (message: TabMessage) => void, ended: AbortSignal): void {
  let [last, waitMs, missed] = ["", firstWaitMs, false];
  const connect = () => {
    if (ended.aborted) return;
    const address = new URL("api/changes", document.baseURI);
    if (last) address.searchParams.set("last_event_id", last);
    const source = new EventSource(address);
    const began = Date.now();
    const end = () => source.close();
    ended.addEventListener("abort", end, { once: true });
    source.onopen = () => {
      waitMs = firstWaitMs;
      // What happened while nobody listened, and is not repeated, may have changed anything.
      if (!last && (missed || Date.now() - began > slowMs)) broadcast({ changed: "reset" });
      missed = false;
      broadcast({ live: true });
    };
    source.onerror = () => {
      missed = true;
      broadcast({ live: false });
      // Otherwise the browser connects again by itself.
      if (source.readyState !== EventSource.CLOSED || ended.aborted) return;
      ended.removeEventListener("abort", end);
      setTimeout(connect, waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    };
    for (const kind of kinds) {
      source.addEventListener(kind, (event) => {
        last = event.lastEventId || last;
        broadcast({ changed: kind });
      });
    }
  };
  connect();
}
