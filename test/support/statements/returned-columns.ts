import pg from "pg";

/** A column of what a statement returns. */
export interface ReturnedColumn {
  name: string;
  /** Kind of its values as the driver gives them: `number`, `string[]`, `json`. */
  kind: string;
}

/** Kinds of values by the OIDs of PostgreSQL's types (catalog `pg_type`), as `metadata/postgres` parses them. */
const kinds = new Map([
  [16, "boolean"],
  [17, "Uint8Array"],
  ...[20, 21, 23, 26, 700, 701].map((oid) => [oid, "number"] as const),
  ...[18, 19, 25, 1042, 1043, 1700, 2950, 3220].map((oid) => [oid, "string"] as const),
  ...[1082, 1114, 1184].map((oid) => [oid, "Date"] as const),
  [114, "json"],
  [3802, "json"],
  [1000, "boolean[]"],
  ...[1005, 1007, 1016, 1021, 1022].map((oid) => [oid, "number[]"] as const),
  ...[1009, 1015, 2951].map((oid) => [oid, "string[]"] as const),
  [199, "json[]"],
  [3807, "json[]"],
]);

const voidType = 2278;

interface Connection {
  parse(query: { text: string }): void;
  describe(what: { type: "S" }): void;
  sync(): void;
}

/** Asks PostgreSQL what a statement returns, without running it. Rejects when it cannot be prepared. */
export function columnsOf(client: pg.Client, text: string): Promise<ReturnedColumn[]> {
  return new Promise((resolve, reject) => {
    let fields: { name: string; dataTypeID: number }[] = [];
    let failure: Error | undefined;
    client.query({
      submit(connection: Connection) {
        connection.parse({ text });
        connection.describe({ type: "S" });
        connection.sync();
      },
      handleRowDescription: (message: { fields: typeof fields }) => void (fields = message.fields),
      handleError: (error: Error) => void (failure = error),
      handleReadyForQuery() {
        if (failure) return reject(failure);
        // What is called for its effect, such as pg_notify, is no column that anybody reads.
        const read = fields.filter(({ dataTypeID }) => dataTypeID !== voidType);
        resolve(read.map(({ name, dataTypeID }) => ({
          name,
          kind: kinds.get(dataTypeID) ?? `type ${dataTypeID}`,
        })));
      },
    } as unknown as pg.Query);
  });
}
