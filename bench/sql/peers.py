"""Column lineage of generated queries as other readers tell it: {reader: [[pair, …] for each case]}."""
import json
import re
import sys

given = json.load(sys.stdin)
tables = given["tables"]


def wrapped(case):
    names = ", ".join(case["columns"])
    return f"WITH made ({names}) AS ({case['query']}) SELECT {names} FROM made"


def by_sqlglot(case):
    from sqlglot import exp
    from sqlglot.lineage import lineage

    schema = {table: {column: "int" for column in columns} for table, columns in tables.items()}
    pairs = set()
    for name in case["columns"]:
        for node in lineage(name, wrapped(case), schema=schema, dialect="postgres").walk():
            if isinstance(node.expression, exp.Table) and node.expression.name in tables:
                pairs.add(f"{node.expression.name}.{node.name.split('.')[-1].strip(chr(34))} > {name}")
    return sorted(pairs)


def by_sqllineage(case):
    from sqllineage.core.metadata.dummy import DummyMetaDataProvider
    from sqllineage.runner import LineageRunner

    metadata = DummyMetaDataProvider({f"s.{table}": columns for table, columns in tables.items()})
    names = ", ".join(case["columns"])
    query = re.sub(r"\b(%s) AS " % "|".join(tables), r"s.\1 AS ", case["query"])
    sql = f"INSERT INTO s.filled ({names}) {query}"
    runner = LineageRunner(sql, dialect="postgres", metadata_provider=metadata)
    pairs = set()
    for path in runner.get_column_lineage():
        source, target = path[0], path[-1]
        pairs.add(f"{str(source.parent).split('.')[-1]}.{source.raw_name} > {target.raw_name}")
    return sorted(pairs)


def by_openlineage(case):
    from openlineage_sql import parse

    # It gives columns the names of the query, and knows no structures.
    meta = parse([f"INSERT INTO filled {case['query']}"], dialect="postgres")
    names = dict(zip(case["aliases"], case["columns"]))
    pairs = set()
    for one in meta.column_lineage if meta else []:
        for source in one.lineage:
            table = source.origin.name if source.origin is not None else "?"
            pairs.add(f"{table}.{source.name} > {names.get(one.descendant.name, one.descendant.name)}")
    return sorted(pairs)


def answers(read):
    found = []
    for case in given["cases"]:
        try:
            found.append(read(case))
        except Exception:  # what a reader refuses counts as nothing found
            found.append([])
    return found


readers = {"sqlglot": by_sqlglot, "sqllineage": by_sqllineage, "openlineage-sql": by_openlineage}
json.dump({name: answers(read) for name, read in readers.items()}, sys.stdout)
