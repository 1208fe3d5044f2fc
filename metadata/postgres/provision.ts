import { createHmac } from "node:crypto";
import pg from "pg";

/** The role under which Tributary uses the packaged server; not a superuser. */
export const applicationRole = "tributary_app";

/** The role under which statements on the tables of lookup tables run; it has rights on nothing else. */
export const lookupRole = "tributary_lookup";

// The notifier creates a replication slot. The role may publish what it owns, and nothing else.
const attributes = "LOGIN REPLICATION NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS";

/**
 * Transfers what the superuser created before the application role existed. REASSIGN OWNED does not
 * work, since PostgreSQL refuses it for this superuser. Sequences of columns follow their tables.
 */
const handOver = `
  DO $do$ DECLARE statement text; BEGIN
    FOR statement IN
      SELECT format('ALTER TABLE %s OWNER TO ${applicationRole}', oid::regclass)
        FROM pg_class c
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
         AND NOT (relkind = 'S' AND EXISTS (
               SELECT FROM pg_depend WHERE objid = c.oid AND deptype IN ('a', 'i')))
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO ${applicationRole}', oid::regprocedure)
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL
      SELECT format('ALTER PUBLICATION %I OWNER TO ${applicationRole}', pubname)
        FROM pg_publication WHERE NOT puballtables
    LOOP EXECUTE statement; END LOOP;
  END $do$`;

/**
 * Ensures that the database `name` exists, and the role that owns it and everything in it; returns
 * the database's URL for that role. `url` is a superuser's. The role's password is derived one-way
 * from the superuser's, so it need not be stored.
 */
export async function ensureDatabase(url: string, name: string): Promise<string> {
  const password = rolePassword(url);
  await session(url, async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtext('create_database'))");
    await ensureRole(client, password);
    const found = await client.query<{ owner: string }>(
      "SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1",
      [name],
    );
    const owner = found.rows[0]?.owner;
    if (owner === applicationRole) return;
    const database = pg.escapeIdentifier(name);
    if (owner === undefined) {
      await client.query(`CREATE DATABASE ${database} OWNER ${applicationRole}`);
      return;
    }
    // The new owner comes last because it marks the handover as complete.
    await session(at(url, name), (inside) => inside.query(handOver));
    await client.query(`ALTER DATABASE ${database} OWNER TO ${applicationRole}`);
  });
  return applicationUrl(url, name);
}

/** The URL that `ensureDatabase` returned for a database, computed from the superuser's URL. */
export function applicationUrl(url: string, name: string): string {
  return Object.assign(new URL(at(url, name)), {
    username: applicationRole,
    password: rolePassword(url),
  }).href;
}

function rolePassword(url: string): string {
  const secret = decodeURIComponent(new URL(url).password);
  return createHmac("sha256", secret).update(applicationRole).digest("hex");
}

async function ensureRole(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [
    applicationRole,
  ]);
  const verb = rowCount === 0 ? "CREATE" : "ALTER";
  await client.query(`${verb} ROLE ${applicationRole} ${attributes} PASSWORD '${password}'`);
  const found = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [lookupRole]);
  if (found.rowCount === 0) await client.query(`CREATE ROLE ${lookupRole} NOLOGIN`);
  await client.query(`GRANT ${lookupRole} TO ${applicationRole}`);
}

function at(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${encodeURIComponent(database)}` }).href;
}

async function session<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
