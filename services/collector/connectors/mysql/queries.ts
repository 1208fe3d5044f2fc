// Queries of the server's catalogue. Names are compared as bytes: elsewhere two may differ in letter case only.

export interface DatabaseRow {
  name: string;
}

/** Databases that people made. */
export const databases = `
  SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA
   WHERE SCHEMA_NAME NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
   ORDER BY BINARY SCHEMA_NAME`;

export interface NameRow {
  name: string;
  /** 1 for a view. */
  isView: number;
}

/** ? database: its tables and views. */
export const relationNames = `
  SELECT TABLE_NAME AS name, TABLE_TYPE = 'VIEW' AS isView FROM information_schema.TABLES
   WHERE TABLE_SCHEMA = ? AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
   ORDER BY BINARY TABLE_NAME`;

/** Relations of a page: as much of the source as is in memory. */
export const pageSize = 100;

const names = Array(pageSize).fill("?").join(", ");

/** ? database, then names, repeated where they are fewer. */
const ofPage = `TABLE_SCHEMA = ? AND TABLE_NAME IN (${names})`;

export interface TableRow {
  name: string;
  /** Estimated rows; null of views. */
  row_count: number | string | null;
  comment: string | null;
  engine: string | null;
}

export const tables = `
  SELECT TABLE_NAME AS name, TABLE_ROWS AS row_count, TABLE_COMMENT AS comment, ENGINE AS engine
    FROM information_schema.TABLES WHERE ${ofPage}`;

export interface ColumnRow {
  relation: string;
  name: string;
  /** As written in a definition: `decimal(10,2)`. */
  type: string;
  nullable: number;
  standard: string | null;
  comment: string;
  extra: string;
}

export const columns = `
  SELECT TABLE_NAME AS relation, COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE = 'YES' AS nullable,
         left(COLUMN_DEFAULT, 1000) AS standard, COLUMN_COMMENT AS comment, EXTRA AS extra
    FROM information_schema.COLUMNS WHERE ${ofPage} ORDER BY BINARY TABLE_NAME, ORDINAL_POSITION`;

export interface KeyRow {
  relation: string;
  name: string;
  type: "PRIMARY KEY" | "UNIQUE" | "FOREIGN KEY";
  column_name: string;
  target_database: string | null;
  target: string | null;
  target_column: string | null;
}

/** Keys and foreign keys, a row for each of their columns in order. */
export const keys = `
  SELECT u.TABLE_NAME AS relation, u.CONSTRAINT_NAME AS name, c.CONSTRAINT_TYPE AS type,
         u.COLUMN_NAME AS column_name, u.REFERENCED_TABLE_SCHEMA AS target_database,
         u.REFERENCED_TABLE_NAME AS target, u.REFERENCED_COLUMN_NAME AS target_column
    FROM information_schema.KEY_COLUMN_USAGE u
    JOIN information_schema.TABLE_CONSTRAINTS c
      ON c.CONSTRAINT_SCHEMA = u.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = u.CONSTRAINT_NAME
     AND c.TABLE_SCHEMA = u.TABLE_SCHEMA AND c.TABLE_NAME = u.TABLE_NAME
   WHERE u.${ofPage.replace("AND TABLE_NAME", "AND u.TABLE_NAME")}
     AND c.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
   ORDER BY BINARY u.TABLE_NAME, BINARY u.CONSTRAINT_NAME, u.ORDINAL_POSITION`;

export interface ViewRow {
  name: string;
  /** The query with every name resolved; empty without the privilege SHOW VIEW. */
  sql_text: string | null;
}

export const views = `
  SELECT TABLE_NAME AS name, VIEW_DEFINITION AS sql_text FROM information_schema.VIEWS WHERE ${ofPage}`;

/** What the check reports of a server. */
export interface ServerFacts {
  version: string;
  account: string;
  relations: number;
}

export const serverFacts = `
  SELECT version() AS version, current_user() AS account,
         (SELECT count(*) FROM information_schema.TABLES
           WHERE TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')) AS relations`;
