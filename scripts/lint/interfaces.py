#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare a document with the interfaces of the kernel that the module uses.

The interfaces are on stdin, as scripts/interfaces.sh prints them, those of several kernels one
after the other. The document has them in tables, of which each line is

    | `NAME`, `NAME`... | USERS | WHY | STEADIER |

A * in NAME stands for any text. USERS are the directories that use any of the interfaces, or
"many" if these are more than four. Lines below the headings "Tracepoints" and "Kprobes" are of
these kinds, and all others are of symbols.

Print what the document lacks: an interface, its users, or a reason; and what is stale: names
and users that no kernel has. With --partial, do not look for the latter.

usage: interfaces.py [--partial] DOCUMENT <LIST
"""

import collections
import fnmatch
import re
import sys

MANY = 4


class Line:
    """A line of the tables."""

    def __init__(self, kind, cells):
        self.kind = kind
        self.names = re.findall(r"`([^`]+)`", cells[0])
        self.users = cells[1]
        self.why = cells[2] if len(cells) > 2 else ""

    def matches(self, kind, name):
        return kind == self.kind and any(fnmatch.fnmatchcase(name, n) for n in self.names)


def read_list(file):
    """Return the users of each (kind, name)."""
    interfaces = collections.defaultdict(set)
    for line in file:
        kind, name, *users = line.split()
        interfaces[kind, name].update(users)
    return interfaces


def read_document(path):
    lines = []
    kind = "symbol"
    with open(path, encoding="utf-8") as file:
        for text in file:
            if text.startswith("## "):
                kind = {"Tracepoints": "tracepoint", "Kprobes": "kprobe"}.get(
                    text[3:].strip(), "symbol")
            elif text.startswith("| `"):
                lines.append(Line(kind, [cell.strip() for cell in text.strip("| \n").split("|")]))
    return lines


def check_users(line, users, is_partial):
    """Return what is wrong with the users of a line, or None."""
    expected = ", ".join(sorted(users)) if len(users) <= MANY else "many"
    listed = set(line.users.split(", "))
    if line.users == expected:
        return None
    if is_partial and (line.users == "many" or (len(users) <= MANY and users <= listed)):
        return None
    return f"`{line.names[0]}` is used by {expected}, not by {line.users}"


def check(lines, interfaces, is_partial):
    for (kind, name), users in sorted(interfaces.items()):
        owners = [line for line in lines if line.matches(kind, name)]
        if len(owners) != 1:
            where = ", ".join(sorted(users)) or "kbuild"
            yield f"{kind} {name}, used by {where}: " + (
                "is on several lines" if owners else "add it with the reason, or use another")
    for line in lines:
        users = set()
        for (kind, name), places in interfaces.items():
            if line.matches(kind, name):
                users |= places
        if not line.why:
            yield f"`{line.names[0]}` has no reason"
        if not users and is_partial:
            continue
        for name in line.names:
            if not is_partial and not any(
                    kind == line.kind and fnmatch.fnmatchcase(other, name)
                    for kind, other in interfaces):
                yield f"{line.kind} {name} is stale: no module here uses it"
        problem = check_users(line, users, is_partial)
        if users and problem:
            yield problem


def main(arguments):
    is_partial = "--partial" in arguments
    document = arguments[-1]
    problems = list(check(read_document(document), read_list(sys.stdin), is_partial))
    for problem in problems:
        print(f"{document}: {problem}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
