import { Socket } from "node:net";

const setNoDelay = Socket.prototype.setNoDelay;
let noDelay = false;

/**
 * Makes `setNoDelay` work before the socket is connected, as in Node. Deno 2.7 forgets such a call, and the
 * driver makes it then: each message over 1,400 bytes would wait 40 ms for the delayed acknowledgement of its
 * first packet. Remove this once the pinned Deno keeps the setting.
 */
export function keepNoDelay(): void {
  if (noDelay) return;
  noDelay = true;
  Socket.prototype.setNoDelay = function (this: Socket, on?: boolean) {
    if (!this.connecting) return setNoDelay.call(this, on);
    // Calling it early would mark it as done, and the later call would have no effect.
    return this.once("connect", () => setNoDelay.call(this, on));
  };
}
