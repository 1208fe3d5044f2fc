import { Socket } from "node:net";

const setNoDelay = Socket.prototype.setNoDelay;
let kept = false;

/**
 * Makes `setNoDelay` hold when it is called before the socket is connected, as in Node. Deno 2.7
 * forgets it then, and the driver calls it then: each message over 1,400 bytes would wait 40 ms for
 * the delayed acknowledgement of its first piece. Drop this once the pinned Deno keeps it.
 */
export function keepNoDelay(): void {
  if (kept) return;
  kept = true;
  Socket.prototype.setNoDelay = function (this: Socket, on?: boolean) {
    if (!this.connecting) return setNoDelay.call(this, on);
    // Set early it would be remembered as done, and setting it again would do nothing.
    return this.once("connect", () => setNoDelay.call(this, on));
  };
}
