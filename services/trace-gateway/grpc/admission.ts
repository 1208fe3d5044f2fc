import type { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import { Overloaded } from "../intake/budget.ts";
import { refusalOf } from "../receivers/refusal.ts";
import { tokenCheck } from "../receivers/token.ts";
import { type Answer, statusOf } from "./answer.ts";
import type { Orders } from "./protocol.ts";

/** Calls that may be in progress at once. */
const maxCalls = 256;
/** Of these, whose message is not whole yet: nobody knows how large it will be. */
const maxUnread = 64;

/** Lets calls in: by their token, and while there is room for their messages. */
export class Admission {
  readonly #check;
  #calls = 0;
  #unread = 0;
  #bytes = 0;

  constructor(private readonly orders: Pick<Orders, "token" | "maxInFlight">) {
    this.#check = tokenCheck(orders.token);
  }

  /** Refuses a call before its message is read. */
  readonly interceptor: grpc.ServerInterceptor = (_, call) => {
    let [inside, unread] = [false, false];
    const read = () => {
      if (unread) this.#unread--;
      unread = false;
    };
    const leave = () => {
      read();
      if (inside) this.#calls--;
      inside = false;
    };
    const onReceiveMetadata = (metadata: grpc.Metadata, next: (given: grpc.Metadata) => void) => {
      try {
        this.#assert(metadata);
      } catch (error) {
        return call.sendStatus(statusOf(refusalOf(error)));
      }
      [inside, unread] = [true, true];
      this.#calls++;
      this.#unread++;
      next(metadata);
    };
    const onReceiveMessage = (message: Buffer, next: (given: Buffer) => void) => {
      read();
      next(message);
    };
    return new grpc.ServerInterceptingCall(call, {
      start: (next) => next({ onReceiveMetadata, onReceiveMessage, onCancel: leave }),
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
    const many = this.#calls >= maxCalls || this.#unread >= maxUnread;
    if (many || this.#bytes >= this.orders.maxInFlight) throw full();
  }
}

function full(): Overloaded {
  return new Overloaded("Too many trace requests are at work", 1);
}
