# SPDX-License-Identifier: GPL-2.0-only
"""
Compare the inlined functions in a profile of pprof with those that LLVM finds. The
addr2line of binutils 2.40 does not find all of them.
"""
import json
import subprocess

import read_pprof
from recordings import BASE


def innermost_functions(program, addresses):
    """Return the innermost function of each address in the program."""
    text = subprocess.check_output(["llvm-symbolizer", "--inlines", "--output-style=JSON",
                                    f"--obj={program.path}", *map(hex, addresses)], text=True)
    return {int(place["Address"], 16): place["Symbol"][0]["FunctionName"]
            for place in json.loads(text)}


def name_of(program, functions, address):
    for name, (start, size) in program.functions.items():
        if start <= address < start + size:
            return functions.get(address - BASE, name)
    return "?"


def check(compare, tool, program, made, recording):
    profile = tool.export("pprof", recording, recording + ".pb.gz", "--inline")
    flat, _ = read_pprof.top(profile, "cpu-clock")
    leaves = [leaf for leaf in made.leaves if leaf[0] == "cpu-clock"]
    inside = {address - BASE for _, _, address in leaves if BASE <= address < BASE + 2**32}
    functions = innermost_functions(program, sorted(inside))
    wanted = {}
    for _, period, address in leaves:
        name = name_of(program, functions, address)
        wanted[name] = wanted.get(name, 0) + period
    compare.same("pprof -top flat --inline, llvm-symbolizer",
                 {name: value for name, value in flat.items() if value}, wanted)
