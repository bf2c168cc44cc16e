#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the rules of prose in CONTRIBUTING.md, as far as patterns can. For prose.sh.

Checks comments, strings, names of tests, documents and manual pages."""

import re
import sys

RULES = [
    # Rule 1: name the subject.
    (r"(^\s*|[.;:,(]\s+|\b(?:of|by|for|to|from|as|than|that|is|and|or)\s+)(who|whoever|whom)\b"
     r"(?!\s+called)",
     "who? name the task, reader, worker, event or CPU"),
    (r"(?<!=)\b(whoever|whomever|nobody|somebody|anybody|everybody)\b", "who? name the subject"),
    (r"(^\s*|[.;:,(-]\s+|\b(?:of|by|and|or|knows?|says?)\s+)whose\b", "whose? name the owner"),
    # Rule 2: subject, verb, object.
    (r"(^\s*|[.;:]\s+)Of\s", "a sentence opens with 'Of'"),
    (r"(^\s*|[.;:]\s+)(That|Those) of\b", "repeat the noun"),
    # Rule 3: things are it.
    (r"\b(he|him|his|himself|she|her|hers|herself)\b", "things are 'it', people 'they'"),
    # Rule 4: one word per concept, the kernel's own.
    (r"\b(tells?|told|telling)\b", "report, return, log, say"),
    (r"\blikewise\b", "same as, also"),
    (r"\b(as usual|the usual|usual one)\b", "default"),
    (r"\bto be had\b", "available"),
    (r"\bso manyth\b", "Nth"),
    (r"\bshall\b", "will, must"),
]
RULES = [(re.compile(pattern, 0 if re.search("Of|Th", pattern) else re.I), advice)
         for pattern, advice in RULES]

C_TEXT = re.compile(
    r'/\*(?P<block>.*?)\*/|//(?P<line>[^\n]*)|"(?P<string>(?:\\.|[^"\\\n])*)"'
    r"|'(?:\\.|[^'\\\n])+'", re.S)
# Names of tests: TEST_F(fixture, name), test_name().
C_NAME = re.compile(r"^TEST[A-Z_]*\((?:\w+, *)?(\w+)", re.M)
SH_NAME = re.compile(r"^test_(\w+)\(\)", re.M)


def unfold(text):
    """Return the text of a comment without the asterisk of each line."""
    return re.sub(r"^[ \t]*\*+ ?", "", text, flags=re.M)


def of_c(text):
    for match in C_TEXT.finditer(text):
        for group in ("block", "line", "string"):
            # Skip strings of one word: they are names, e.g. of the user nobody.
            if match[group] is not None and (group != "string" or " " in match[group]):
                yield match.start(group), unfold(match[group])
    for match in C_NAME.finditer(text):
        yield match.start(1), match[1].replace("_", " ")


def of_script(text):
    for match in re.finditer(r"(?:^[ \t]*#[^!\n]*\n?)+|[ \t]#[ \t][^\n]*", text, re.M):
        yield match.start(), re.sub(r"^[ \t]*# ?", "", match[0], flags=re.M)
    for match in re.finditer(r'"([^"\n]*[a-z] [^"\n]*)"', text):
        yield match.start(1), match[1]
    for match in SH_NAME.finditer(text):
        yield match.start(1), match[1].replace("_", " ")


def of_document(text):
    """Yield the paragraphs, with blanks in place of code."""
    text = re.sub(r"`[^`\n]*`", lambda match: "`" + "x" * (len(match[0]) - 2) + "`", text)
    text = re.sub(r"^(    |\t).*$", lambda match: " " * len(match[0]), text, flags=re.M)
    for match in re.finditer(r"(?:^.*\S.*\n?)+", text, re.M):
        yield match.start(), match[0]


def texts(path, text):
    if re.search(r"\.(c|h|cc|rs)$", path):
        return of_c(text)
    if re.search(r"\.(md|[1-8]|notes|examples)$", path):
        return of_document(text)
    return of_script(text)


def check(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    failed = False
    for start, prose in texts(path, text):
        for pattern, advice in RULES:
            for match in pattern.finditer(prose):
                # Lines can be counted in the prose: it has the line breaks of the text.
                line = text.count("\n", 0, start) + prose.count("\n", 0, match.start()) + 1
                words = " ".join(prose[max(0, match.start() - 30):match.end() + 30].split())
                print(f"{path}:{line}: {advice}: ... {words} ...")
                failed = True
    return failed


sys.exit(any([check(path) for path in sys.argv[1:]]))
