# SPDX-License-Identifier: GPL-2.0-only
"""
Run the statements of tprof-lx-push(1) in ClickHouse.
"""
import json
import os
import re

from chdb.session import Session

NOTES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     "../../Documentation/man/push.notes")

# Host, function, age of the row in hours, weight. Only the first host has rows of both days.
ROWS = (
    ("both", "grows", 0.5, 60), ("both", "shrinks", 0.5, 40),
    ("both", "grows", 24.5, 50), ("both", "shrinks", 24.5, 50),
    ("new", "starts", 0.5, 7), ("gone", "stops", 24.5, 7),
)
SHARES = [["both", "grows", 60, 50], ["both", "shrinks", 40, 50]]


def statement(begin):
    with open(NOTES, encoding="utf-8") as file:
        return re.search(rf"^{begin} .*?(?=^\.Ed)", file.read(), re.M | re.S).group()


def check(compare):
    with Session() as session:
        session.query(statement("CREATE TABLE"))
        for host, function, age, weight in ROWS:
            session.query("INSERT INTO samples (ts, host, event, n, weight, stack) SELECT "
                          f"now() - INTERVAL {int(age * 60)} MINUTE, '{host}', 'nmi', 1, {weight}, "
                          f"['caller', '{function}']")
        rows = str(session.query(statement("SELECT"), "JSONCompactEachRow")).splitlines()
    compare.same("ClickHouse, the query of the manual", [json.loads(row) for row in rows], SHARES)
