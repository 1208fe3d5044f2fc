import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "#web/api/errors.ts";

/** What hears that the session has ended; the shell shows how to go on without losing what was typed. */
type SignedOut = () => void;
const listeners = new Set<SignedOut>();

export function onSignedOut(listener: SignedOut): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells everyone who listens, if the error says so. */
function noticeSignedOut(error: unknown): void {
  if (error instanceof ApiError && error.signedOut) {
    for (const listener of listeners) {
      listener();
    }
  }
}

/** Answers that the document brought, by their paths (`services/api/web-interface.ts`). */
function known(): Record<string, unknown> {
  return JSON.parse(document.getElementById("known")?.textContent || "{}");
}

/** Remembered answers: shown at once, read again when they are older than half a minute. */
export function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        retry: (attempt, error) => error instanceof ApiError && error.temporary && attempt < 2,
        retryDelay: (attempt, error) =>
          error instanceof ApiError && error.retryAfter
            ? Math.min(error.retryAfter, 10) * 1_000
            : 500 * 2 ** attempt,
      },
      mutations: { retry: false },
    },
  });
  for (const [path, answer] of Object.entries(known())) {
    queries.setQueryData([path, null], answer);
  }
  // Only the refusal itself: a query that is asked again, or a form that is typed in, still holds the last one.
  queries.getQueryCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "error") {
      noticeSignedOut(event.action.error);
    }
  });
  queries.getMutationCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "error") {
      noticeSignedOut(event.action.error);
    }
  });
  return queries;
}
