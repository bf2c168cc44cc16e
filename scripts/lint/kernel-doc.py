#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check kernel-doc comments beyond scripts/kernel-doc. For kernel-doc.sh.

The warnings of scripts/kernel-doc are on stdin. A parameter that has the name of its struct,
such as struct tprof_session *session, needs no description. All other warnings are errors.

A description of such a parameter that only repeats the name, such as "@session: session", is
refused in the files of the command line."""

import re
import sys

UNDESCRIBED = re.compile(r"^(?:Warning: |warning: )?(?P<path>[^:\s]+):\d+:? (?:warning: )?"
                         r"Function parameter or (?:struct )?member '(?P<name>\w+)' not described "
                         r"in '(?P<function>\w+)'$", re.I)
SUMMARY = re.compile(r"^\d+ warnings( as Errors)?$")
REPEATED = re.compile(r"^ \* @(?P<name>\w+):[ \t]*(?:(?:the|a|an) )?(?P=name)$"
                      r"(?!\n \*(?:\t| {2,})\S)", re.M)
COMMENT = re.compile(r"^/\*\*\n \* (?P<function>\w+) - .*?\*/", re.M | re.S)


def has_name_of_struct(text, function, name):
    """Return whether parameter NAME of FUNCTION is a pointer to a struct of that name."""
    parameter = re.compile(rf"\b{function}\([^)]*\bstruct (?:\w+_)?{name}(?:_struct)? \*{name}\b")
    return parameter.search(text) is not None


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_warning(line):
    """Print a warning of scripts/kernel-doc, and return True, unless it is none here."""
    if not line or SUMMARY.match(line):
        return False
    match = UNDESCRIBED.match(line)
    if match and has_name_of_struct(read(match["path"]), match["function"], match["name"]):
        return False
    print(line)
    return True


def check_repeated(path):
    """Print the descriptions in a file that only repeat the name, and return whether any does."""
    failed = False
    text = read(path)
    for comment in COMMENT.finditer(text):
        for match in REPEATED.finditer(comment[0]):
            if not has_name_of_struct(text, comment["function"], match["name"]):
                continue
            line = text.count("\n", 0, comment.start() + match.start()) + 1
            print(f"{path}:{line}: '@{match['name']}' only repeats the name: leave it out")
            failed = True
    return failed


failures = [check_warning(line.strip()) for line in sys.stdin]
failures += [check_repeated(path) for path in sys.argv[1:]]
sys.exit(any(failures))
