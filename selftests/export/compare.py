# SPDX-License-Identifier: GPL-2.0-only
"""
Print the result line of each comparison, with both sides.
"""


def shown(value):
    """One line, cut in the middle of long tables."""
    if isinstance(value, dict):
        parts = [f"{name}: {value[name]:g}" if isinstance(value[name], float) and
                 value[name] != int(value[name]) else f"{name}: {int(value[name])}"
                 for name in sorted(value)]
        rest = f", and {len(parts) - 3} more" if len(parts) > 4 else ""
        return ", ".join(parts[:3] if rest else parts) + rest or "nothing"
    return str(value) or "nothing"


class Comparison:
    def __init__(self):
        self.failed = self.passed = 0
        self.group = ""

    def begin(self, group):
        self.group = group

    def record(self, name, good, text):
        self.failed += not good
        self.passed += good
        print(f"{'ok' if good else 'not ok'} {self.group}: {name}  # {ascii(text)[1:-1]}", flush=True)

    def same(self, name, theirs, ours):
        good = theirs == ours
        if not good and isinstance(theirs, dict) and isinstance(ours, dict):
            theirs, ours = ({key: value for key, value in one.items() if other.get(key) != value}
                            for one, other in ((theirs, ours), (ours, theirs)))
        self.record(name, good, f"{shown(theirs)} {'=' if good else '!='} {shown(ours)}")

    def close(self, name, theirs, ours, most):
        """Compare tables of rounded numbers, which may differ by most."""
        good = theirs.keys() == ours.keys() and \
            all(abs(theirs[key] - ours[key]) <= most for key in ours)
        self.record(name, good, f"{shown(theirs)} {'=' if good else '!='} {shown(ours)}")

    def true(self, name, good, text):
        self.record(name, good, text)

    def end(self):
        return 1 if self.failed or not self.passed else 0
