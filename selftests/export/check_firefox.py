# SPDX-License-Identifier: GPL-2.0-only
"""
Check that a profile of the Firefox Profiler, version 66, is consistent.

There is no reader of this format in Debian or PyPI, so this checks what that of the profiler
relies on: columns have equal lengths, indices are in range, callers are before callees.
"""

SCHEMA = {
    "meta": {"interval", "startTime", "processType", "product", "preprocessedProfileVersion",
             "version", "categories", "markerSchema", "symbolicated"},
    "shared": {"stringArray", "stackTable", "frameTable", "funcTable", "resourceTable",
               "nativeSymbols", "sources"},
    "thread": {"name", "processName", "pid", "tid", "isMainThread", "registerTime", "samples",
               "markers"},
}

# TABLE.COLUMN, and the table or list that it refers to.
REFERENCES = {
    "stackTable.frame": "frameTable", "frameTable.func": "funcTable",
    "frameTable.nativeSymbol": "nativeSymbols", "funcTable.name": "stringArray",
    "funcTable.resource": "resourceTable", "funcTable.source": "sources",
    "resourceTable.name": "stringArray", "resourceTable.lib": "libs",
    "nativeSymbols.name": "stringArray", "nativeSymbols.libIndex": "libs",
    "sources.filename": "stringArray",
}


def length_of(table):
    return table["length"] if isinstance(table, dict) else len(table)


def uneven_columns(tables):
    return [f"{name}.{key}" for name, table in tables.items() for key, column in table.items()
            if isinstance(column, list) and len(column) != table["length"]]


def wrong_references(profile):
    shared, wrong = profile["shared"], []
    for reference, target in REFERENCES.items():
        table, column = reference.split(".")
        limit = length_of(profile["libs"] if target == "libs" else shared[target])
        for value in shared[table].get(column, []):
            if value is not None and not -1 <= value < limit:
                wrong.append(f"{reference}: {value} of {limit}")
    return wrong


def missing_keys(profile):
    parts = [("meta", profile["meta"]), ("shared", profile["shared"]),
             *(("thread", thread) for thread in profile["threads"])]
    return [f"{kind}.{key}" for kind, part in parts for key in SCHEMA[kind] - set(part)]


def samples_of(profile, category):
    """Return how many samples have a leaf of a category."""
    shared = profile["shared"]
    names = [kind["name"] for kind in profile["meta"]["categories"]]
    wanted = names.index(category) if category in names else None
    frames = shared["stackTable"]["frame"]
    return sum(shared["frameTable"]["category"][frames[stack]] == wanted
               for thread in profile["threads"] for stack in thread["samples"]["stack"])


def problems(profile):
    """List what is inconsistent in a profile."""
    shared = profile["shared"]
    tables = {name: table for name, table in shared.items()
              if isinstance(table, dict) and "length" in table}
    found = missing_keys(profile) + uneven_columns(tables) + wrong_references(profile)
    for number, offset in enumerate(shared["stackTable"]["prefixOffset"]):
        if not 0 <= offset <= number:
            found.append(f"stack {number} is not behind its caller")
    categories = len(profile["meta"]["categories"])
    found += [f"category {value}" for value in shared["frameTable"]["category"]
              if not 0 <= value < categories]
    for thread in profile["threads"]:
        found += uneven_columns({"samples": thread["samples"], "markers": thread["markers"]})
        found += [f"stack {at} of a sample" for at in thread["samples"]["stack"]
                  if at is not None and not 0 <= at < shared["stackTable"]["length"]]
        if any(delta < 0 for delta in thread["samples"]["timeDeltas"]):
            found.append("a sample is before the one before it")
    ids = [(thread["pid"], thread["tid"]) for thread in profile["threads"]]
    if len(set(ids)) != len(ids):
        found.append("two threads have one id")
    return found
