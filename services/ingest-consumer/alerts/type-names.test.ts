import { expect, it } from "vitest";
import { typeSpelling } from "./schema-breaks.ts";

it.each([
  ["decimal(6,5)", "DECIMAL(6, 5)"],
  ["  Decimal ( 6 ,5 ) ", "decimal(6,5)"],
  ["numeric(6,5)", "DEC(6,5)"],
  ["decimal(6)", "decimal(6, 0)"],
  ["int", "INTEGER"],
  ["int4", "integer"],
  ["int(11)", "int"],
  ["int(10) unsigned", "INT UNSIGNED"],
  ["bigint(20)", "bigint"],
  ["decimal(6,5) unsigned", "DECIMAL(6,5)unsigned"],
  ["bool", "Boolean"],
  ["varchar(10)", "character varying (10)"],
  ["character(3)", "CHAR(3)"],
  ["double", "double  precision"],
  ["float8", "DOUBLE PRECISION"],
  ["timestamptz", "timestamp with time zone"],
  ["timestamptz(6)", "TIMESTAMP(6) WITH TIME ZONE"],
  ["timestamp without time zone", "timestamp"],
  ["time(3) without time zone", "time (3)"],
  ["array<int>", "ARRAY< INTEGER >"],
  ["struct<a: int, b: array<string>>", "STRUCT<`a`:integer,b:ARRAY<STRING>>"],
  ['"varchar"(10)', "varchar(10)"],
  ["[varchar](10)", "VARCHAR(10)"],
  ["[dbo].[money]", "dbo.money"],
  ["int [ ]", "integer[]"],
  ["enum('A', 'B')", "ENUM('A','B')"],
])("%s and %s are one type", (one, other) => {
  expect(typeSpelling(other)).toBe(typeSpelling(one));
});

it.each([
  ["int", "bigint"],
  ["int", "int unsigned"],
  ["int8", "bigint"],
  ["smallint", "int"],
  ["varchar(10)", "varchar(20)"],
  ["varchar", "varchar(10)"],
  ["varchar(10)", "char(10)"],
  ["nvarchar(10)", "varchar(10)"],
  ["text", "string"],
  ["real", "float"],
  ["decimal(6,5)", "decimal(6,4)"],
  ["decimal(6,5)", "decimal(65)"],
  ["decimal", "decimal(10)"],
  ["tinyint(1)", "tinyint"],
  ["timestamp", "timestamptz"],
  ["timestamp(3)", "timestamp(6)"],
  ["timestamp_ntz", "timestamp"],
  ["int", "int[]"],
  ["integer[3]", "integer[4]"],
  ["array<int>", "array<bigint>"],
  ["struct<a:int>", "struct<b:int>"],
  ["struct<int:string>", "struct<integer:string>"],
  ["enum('A')", "enum('a')"],
  ["enum('a b')", "enum('ab')"],
  ["enum('int')", "enum('integer')"],
  ["enum('it''s', 'x')", "enum('it''s', 'X')"],
])("%s and %s are two types", (one, other) => {
  expect(typeSpelling(other)).not.toBe(typeSpelling(one));
});
