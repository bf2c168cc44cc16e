#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Type something and a tab into a shell, and print what its terminal shows.

usage: type.py INIT TYPED SHELL [ARGUMENT ...]

INIT is a command that comes first. The line is given up then, and not executed.
"""
import os
import pty
import select
import sys
import time

LIMIT = 60  # seconds


def read_until(fd, text):
    """What the shell writes until TEXT is among it."""
    seen = b""
    end = time.monotonic() + LIMIT
    while text not in seen:
        left = end - time.monotonic()
        if left <= 0 or not select.select([fd], [], [], left)[0]:
            sys.exit(f"'{text.decode()}' does not come: {seen!r}")
        seen += os.read(fd, 4096)
    return seen


def main():
    init, typed, *shell = sys.argv[1:]
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execvp(shell[0], shell)
    # A shell that prompts reads key by key.
    os.write(fd, f"{init}; PS1='rea''dy> '\n".encode())
    read_until(fd, b"ready> ")
    os.write(fd, typed.encode() + b"\t")
    # Kill the line, also where the cursor is in its middle.
    os.write(fd, b"\x05\x15echo do''ne\n")
    seen = read_until(fd, b"done\r")
    os.write(fd, b"exit\n")
    os.waitpid(pid, 0)
    sys.stdout.write(seen.decode(errors="replace"))


main()
