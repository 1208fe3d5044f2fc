import * as grpc from "@grpc/grpc-js";
import { Overloaded } from "../intake/budget.ts";
import { refusalOf } from "../receivers/refusal.ts";
import { tokenCheck } from "../receivers/token.ts";
import { type Answer, statusOf } from "./answer.ts";
import type { Orders } from "./protocol.ts";

/** Calls that may be in progress at once, those included whose message is not here yet. */
const maxCalls = 256;

/** Lets calls in: by their token, and while there is room for their messages. */
export class Admission {
  readonly #check;
  #calls = 0;
  #bytes = 0;

  constructor(private readonly orders: Pick<Orders, "token" | "maxInFlight">) {
    this.#check = tokenCheck(orders.token);
  }

  /** Refuses a call before its message is read. */
  readonly interceptor: grpc.ServerInterceptor = (_, call) => {
    let inside = false;
    const leave = () => {
      if (inside) this.#calls--;
      inside = false;
    };
    const enter = (metadata: grpc.Metadata) => {
      this.#assert(metadata);
      this.#calls++;
      inside = true;
    };
    const onReceiveMetadata = (metadata: grpc.Metadata, next: (given: grpc.Metadata) => void) => {
      try {
        enter(metadata);
      } catch (error) {
        return call.sendStatus(statusOf(refusalOf(error)));
      }
      next(metadata);
    };
    return new grpc.ServerInterceptingCall(call, {
      start: (next) => next({ onReceiveMetadata, onCancel: leave }),
      sendStatus(status, next) {
        leave();
        next(status);
      },
    });
  };

  /** Counts a message as held while `work` goes on, or refuses it. */
  async within(bytes: number, work: () => Promise<Answer>): Promise<Answer> {
    if (this.#bytes > 0 && this.#bytes + bytes > this.orders.maxInFlight) {
      return { refusal: refusalOf(full()) };
    }
    this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#bytes -= bytes;
    }
  }

  #assert(metadata: grpc.Metadata): void {
    this.#check(metadata.get("authorization")[0]?.toString() ?? null);
    if (this.#calls >= maxCalls || this.#bytes >= this.orders.maxInFlight) throw full();
  }
}

function full(): Overloaded {
  return new Overloaded("Too many trace requests are at work", 1);
}
