import { MysqlSettings } from "#contract/connections/mysql.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import type { MariaServer } from "#test/support/engines/mariadb.ts";
import type { Session } from "../../../connector.ts";
import { plainSession } from "../../../testing/source.ts";

export const password = "s3cret-reader";

/** A shop with most of what a server can hold, and a user that may read it. */
export const shop = [
  "CREATE DATABASE shop CHARACTER SET utf8mb4",
  "CREATE DATABASE `other / 注文` CHARACTER SET utf8mb4",
  `CREATE TABLE shop.customers (
     id int unsigned AUTO_INCREMENT PRIMARY KEY COMMENT 'Its number', name varchar(100) NOT NULL,
     email varchar(200) UNIQUE) COMMENT 'Who buys'`,
  `CREATE TABLE shop.orders (
     id bigint PRIMARY KEY, customer_id int unsigned NOT NULL, total decimal(10, 2) DEFAULT 0,
     state enum('new', 'it''s paid') DEFAULT 'new', paid tinyint(1), placed datetime NOT NULL, note json,
     FOREIGN KEY orders_customer (customer_id) REFERENCES shop.customers (id))`,
  "CREATE TABLE `other / 注文`.`t``able` (`größe %` int)",
  `CREATE VIEW shop.revenue AS SELECT c.name AS customer, sum(o.total) AS revenue
     FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.id WHERE o.paid GROUP BY c.name`,
  "CREATE VIEW shop.sizes AS SELECT x.`größe %` AS size FROM `other / 注文`.`t``able` x, shop.revenue",
  "CREATE TABLE shop.gone (id int)",
  "CREATE VIEW shop.broken AS SELECT id FROM shop.gone",
  "DROP TABLE shop.gone",
  `CREATE USER reader IDENTIFIED BY '${password}'`,
  "GRANT SELECT, SHOW VIEW ON *.* TO reader",
  "ANALYZE TABLE shop.customers, shop.orders",
];

/** A session over a server. */
export function mysqlSession(
  { host, port }: MariaServer,
  { settings: given, ...more }: Partial<Omit<Session<MysqlSettings>, "settings">> & {
    settings?: Partial<MysqlSettings>;
  } = {},
): Session<MysqlSettings> {
  const settings = MysqlSettings.parse({ host, port, user: "reader", ...given });
  return {
    ...plainSession(),
    settings,
    secrets: new Map([["password", password]]),
    source: sourceCatrn("mysql", settings),
    ...more,
  };
}
