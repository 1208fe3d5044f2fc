import { escaped } from "#platform/naming/text.ts";
import type { CandidateSegment } from "#platform/naming/model.ts";
import { type Address, addressOf } from "./parse.ts";

/** `host`, or `host:port` when the port is not the usual one of its system. */
export function hostText({ host, port }: Address, usual: string | null): string {
  return escaped(port === null || port === usual ? host : `${host}:${port}`);
}

/** A host as collectors write it: in any letter case, with a port or without. */
export function hostSegment(address: Address, usual: string | null): CandidateSegment {
  const { host, port } = address;
  return {
    text: hostText(address, usual),
    fits: (text) => addressOf(text).host === escaped(host),
    ...(port !== null && { prefers: (text: string) => addressOf(text).port === port }),
  };
}

/** The broker of a list in one text, such as a collector of Kafka writes it. */
export function brokersSegment(broker: Address, others: Address[]): CandidateSegment {
  const meant = new Set([broker, ...others].map(({ host, port }) => `${host}:${port}`));
  const isMeant = (text: string) =>
    text.split(",").map(addressOf).some(({ host, port }) =>
      meant.has(`${host}:${port ?? kafkaPort}`)
    );
  return {
    text: escaped(`${broker.host}:${broker.port}`),
    others: [escaped(broker.host)],
    fits: isMeant,
  };
}

/** Default port of a Kafka broker. */
export const kafkaPort = "9092";

const snowflakeDomain = ".snowflakecomputing.com";

/** An account of Snowflake: `organisation-account`, or `locator` with its region and cloud or without. */
export function snowflakeSegment(account: string): CandidateSegment {
  const segments = accountSegments(account);
  return {
    text: escaped(`${segments.join(".").toUpperCase()}${snowflakeDomain}`),
    fits(text) {
      const other = accountSegments(addressOf(text).host);
      return segments.every((segment, at) => other[at] === undefined || other[at] === segment);
    },
    prefers: (text) => accountSegments(addressOf(text).host).length === segments.length,
  };
}

/** An account without the domain that some write after it, in lower case. */
function accountSegments(account: string): string[] {
  const lower = account.toLowerCase();
  const at = lower.indexOf(snowflakeDomain);
  return (at < 0 ? lower : lower.slice(0, at)).split(".");
}

/** What hosts of Redshift end in, after `cluster.id.region` and `workgroup.account.region`. */
const redshiftDomain =
  /^([^.]+)\.[^.]+\.([^.]+)\.redshift(?:-serverless)?\.amazonaws\.com(?:\.cn)?$/;

/** `cluster.region` of an endpoint of Redshift; null for another host. */
export function redshiftShort(host: string): string | null {
  const found = redshiftDomain.exec(host);
  return found && `${found[1]}.${found[2]}`;
}

/** A cluster of Redshift, by its endpoint or by `cluster.region`. */
export function redshiftSegment(address: Address, usual: string): CandidateSegment {
  const plain = hostSegment(address, usual);
  return {
    ...plain,
    fits(text) {
      const { host } = addressOf(text);
      return plain.fits!(text) || redshiftShort(host) === address.host ||
        (redshiftShort(address.host) ?? "") === host;
    },
  };
}
