import { freeze } from "#test/support/engines/freeze.ts";
import type { FakeClock } from "#test/support/engines/fake-clock.ts";
import type { Partition } from "#test/support/engines/partitions.ts";
import type { SmallDisk } from "#test/support/engines/small-disk.ts";
import { seeded } from "#test/support/random.ts";
import { isLongRun } from "#test/support/size.ts";
import { send } from "../../tools/engines/process.mjs";

/** Something that goes wrong for a while and is then as before. */
export interface FaultKind {
  name: string;
  /** Resolves when it is over; `random` is of the campaign, so that a seed repeats it. */
  strike(random: () => number): Promise<void>;
}

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Milliseconds between the two. */
const between = (least: number, most: number, random: () => number) =>
  least + random() * (most - least);

/** Some time; in the long campaign every second time longer than leases last. */
const aWhile = (random: () => number) =>
  pause(
    isLongRun && random() < 0.5 ? between(11_000, 16_000, random) : between(500, 3_000, random),
  );

/** A process that is stopped (SIGSTOP). */
export function stopped(name: string, of: { pause(): Promise<void>; resume(): void }): FaultKind {
  return {
    name: `${name} is stopped`,
    async strike(random) {
      await of.pause();
      try {
        await aWhile(random);
      } finally {
        of.resume();
      }
    },
  };
}

/**
 * A disk on which every write takes long: the processes that write to it run a fifth of the time, in slices, for some
 * seconds. What they wait for is what they would wait for with a slow disk.
 */
export function slowDisk(name: string, pids: () => number[]): FaultKind {
  return {
    name: `the disk of ${name} is slow`,
    async strike(random) {
      for (
        const end = performance.now() + between(3_000, 8_000, random);
        performance.now() < end;
      ) {
        const slice = pids();
        await freeze(...slice);
        await pause(200);
        for (const pid of slice) send(pid, "SIGCONT");
        await pause(50);
      }
    },
  };
}

/** A disk without room; `afterwards` does what an operator does once it has room again. */
export function fullDisk(
  name: string,
  disk: SmallDisk,
  afterwards: () => Promise<void> = () => Promise.resolve(),
): FaultKind {
  return {
    name: `the disk of ${name} is full`,
    async strike(random) {
      disk.fill();
      await pause(between(2_000, 6_000, random));
      disk.free();
      await afterwards();
    },
  };
}

/** The clock of a process jumps by up to ten minutes, either way, and later back. */
export function clockJump(name: string, clock: FakeClock): FaultKind {
  return {
    name: `the clock of ${name} jumps`,
    async strike(random) {
      clock.set(Math.round(between(-600, 600, random)));
      await pause(between(1_000, 5_000, random));
      clock.set(0);
    },
  };
}

/** Nothing passes between two, or their connections are reset and refused. */
export function partitioned(name: string, partition: Partition): FaultKind {
  return {
    name: `${name} are apart`,
    async strike(random) {
      if (random() < 0.5) partition.silence();
      else partition.reset();
      try {
        await aWhile(random);
      } finally {
        partition.heal();
      }
    },
  };
}

/** Strikes `count` times, each kind in its turn; `calm` resolves when work goes on after a fault. */
export async function campaign(
  kinds: FaultKind[],
  { count, seed, calm }: { count: number; seed: number; calm: () => Promise<void> },
): Promise<Map<string, number>> {
  const random = seeded(seed);
  const done = new Map<string, number>();
  for (let n = 0; n < count; n++) {
    const kind = kinds[n % kinds.length]!;
    await pause(random() * 500);
    await kind.strike(random);
    await calm().catch((error) => {
      throw new Error(`after fault ${n + 1}, ${kind.name}: ${error.message}`, { cause: error });
    });
    done.set(kind.name, (done.get(kind.name) ?? 0) + 1);
  }
  return done;
}
