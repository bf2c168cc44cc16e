# SPDX-License-Identifier: GPL-2.0-only
"""
Compare speedscope, folded and rows with report, by flamegraph-textual, inferno, DuckDB and
ClickHouse.
"""
import json
import re

import chdb
import duckdb
import pyinferno.pyinferno as inferno
from flamegraph_textual.parsers.speedscope_parser import SpeedscopeParser
from flamegraph_textual.parsers.stackcollapse_parser import StackCollapseParser


def check_speedscope(compare, tool, recording, sums, output):
    """A profile is of one event and thread; its name ends with that of the event."""
    path = tool.export("speedscope", recording, output)
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    seen = dict.fromkeys(sums.events, 0)
    for number, profile in enumerate(document["profiles"]):
        event = next(name for name in seen if profile["name"].endswith(name))
        document["activeProfileIndex"] = number
        parsed = SpeedscopeParser("speedscope").parse(json.dumps(document).encode())
        seen[event] += parsed.root_stack.values[0]
    compare.same("flamegraph-textual, speedscope", seen, sums.total("period"))


def check_folded(compare, tool, recording, sums, output):
    seen, drawn = {}, {}
    for event in sums.events:
        path = tool.export("folded", recording, output, "--event", event)
        with open(path, "rb") as file:
            text = file.read()
        parsed = StackCollapseParser("folded").parse(text)
        seen[event] = parsed.root_stack.values[0]
        lines = text.decode().splitlines()
        picture = inferno.flamegraph_from_lines(lines) if lines else ""
        found = re.search(r"<title>all \(([\d,]+) samples", picture)
        drawn[event] = int(found.group(1).replace(",", "")) if found else 0
    samples = sums.total("samples")
    compare.same("flamegraph-textual, folded", seen, samples)
    compare.same("inferno, folded", drawn, samples)


def from_duckdb(path, keys, value):
    query = f"SELECT {keys}, sum({value}) FROM read_json('{path}', format='newline_delimited') GROUP BY ALL"
    return {row[:-1]: int(row[-1]) for row in duckdb.sql(query).fetchall()}


def from_clickhouse(path, keys, value):
    group = ", ".join(str(number + 1) for number in range(keys.count(",") + 1))
    query = f"SELECT {keys}, sum({value}) FROM file('{path}', JSONEachRow) GROUP BY {group}"
    rows = str(chdb.query(query, "JSONCompactEachRow")).splitlines()
    return {tuple(row[:-1]): int(row[-1]) for row in map(json.loads, rows)}


def check_rows(compare, tool, recording, sums, output, has_names):
    path = tool.export("rows", recording, output + ".json")
    if not sum(sums.total("samples").values()):
        with open(path, "rb") as file:
            compare.same("rows of an empty recording", file.read(), b"")
        return
    for name, read in (("DuckDB", from_duckdb), ("ClickHouse", from_clickhouse)):
        for value, column in (("weight", "period"), ("n", "samples")):
            seen = {event: total for (event,), total in read(path, "event", value).items()}
            compare.same(f"{name}, {value} by event", seen, sums.total(column))
        if has_names:
            check_groups(compare, name, lambda keys: read(path, keys, "weight"), sums)


def check_keys(compare, path, key, wanted):
    """The periods of report's lines are wanted: event -> text of the key -> sum."""
    for name, read in (("DuckDB", from_duckdb), ("ClickHouse", from_clickhouse)):
        seen = {}
        for (event, text), total in read(path, f"event, keys.{key}", "weight").items():
            seen.setdefault(event, {})[text] = total
        for event, sums in wanted.items():
            compare.same(f"{name}, weight by {key}, {event}", seen.get(event), sums)


def check_groups(compare, name, read, sums):
    by_comm, by_function = read("event, comm"), read("event, stack[-1]")
    for event in sums.events:
        compare.same(f"{name}, weight by comm, {event}",
                     {comm: total for (kind, comm), total in by_comm.items() if kind == event},
                     sums.by_comm(event, "period"))
        compare.same(f"{name}, weight by function, {event}",
                     {function: total for (kind, function), total in by_function.items()
                      if kind == event}, sums.by_function(event, "period"))
