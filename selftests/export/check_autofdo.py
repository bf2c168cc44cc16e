# SPDX-License-Identifier: GPL-2.0-only
"""
Let LLVM read the format autofdo, and compile with it.
"""
import os
import re
import subprocess

import recordings


def head_of(text, function):
    """Return the total of a function in the text of llvm-profdata."""
    found = re.search(rf"^{function}:(\d+):", text, re.M)
    return int(found.group(1)) if found else None


def check(compare, tool, program, source, directory):
    recording, profile, binary = (os.path.join(directory, name) for name in
                                  ("profile.data", "profile.txt", "profile.bin"))
    recordings.make_profile(program, recording)
    tool.export("autofdo", recording, profile)
    compare.begin("autofdo")
    subprocess.check_call(["llvm-profdata", "merge", "--sample", "-o", binary, profile])
    again = subprocess.check_output(["llvm-profdata", "merge", "--sample", "--text", "-o", "-",
                                     binary], text=True)
    with open(profile, encoding="utf-8") as file:
        ours = file.read()
    for function in ("often", "main"):
        compare.same(f"llvm-profdata, total of {function}", head_of(again, function),
                     head_of(ours, function))
    listing = os.path.join(directory, "program.ll")
    recordings.build(source, listing, "-S", "-emit-llvm", f"-fprofile-sample-use={binary}")
    with open(listing, encoding="utf-8") as file:
        text = file.read()
    weights = re.search(r'"branch_weights", i32 (\d+), i32 (\d+)', text)
    counts = [int(count) for count in re.findall(r'"function_entry_count", i64 (\d+)', text)]
    compare.true("clang -fprofile-sample-use, branch weights", bool(weights),
                 weights.group() if weights else "none")
    compare.true("clang -fprofile-sample-use, entry counts", any(counts), f"{counts}")
    built = os.path.join(directory, "program.again")
    recordings.build(source, built, f"-fprofile-sample-use={binary}")
    outputs = [subprocess.check_output([path, "100000"], text=True) for path in (program.path, built)]
    compare.same("output of the program", outputs[1].strip(), outputs[0].strip())
