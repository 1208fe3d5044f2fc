import type { Context } from "#platform/context.ts";
import { bearerToken } from "#platform/http/bearer.ts";
import { type AccessControl, nobodySignsIn, open } from "#platform/operations/access.ts";
import {
  bearerTokens,
  collectorTokens,
  requireCollector,
} from "#services/api/access/callers/bearer-tokens.ts";
import type { AttemptThrottle } from "#services/api/access/callers/throttle.ts";

/** Access where nobody signs in (`auth.type` DISABLED): only ingestion may ask for a token. */
export function withoutSignIn(context: Context, throttle: AttemptThrottle): AccessControl {
  if (!context.config.auth.ingestion.filter.enabled) {
    return { authenticator: nobodySignsIn, authorizer: open };
  }
  const ofToken = bearerTokens([collectorTokens(context)], throttle);
  return {
    authenticator: {
      authenticate(request, address, access) {
        const token = bearerToken(request.headers.get("authorization"));
        if (access !== "collector" || token === undefined) {
          return nobodySignsIn.authenticate(request, address, access);
        }
        return ofToken(token, address);
      },
    },
    authorizer: {
      ...open,
      authorize(caller, needed) {
        if (needed === "collector") requireCollector(caller);
        return Promise.resolve();
      },
    },
  };
}
