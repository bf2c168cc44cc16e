#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Type TYPED and a tab into a shell, and print the output of its terminal.

usage: type.py INIT TYPED SHELL [ARGUMENT ...]

INIT is a shell command that is run first. The typed line is not executed.
"""
import os
import pty
import select
import sys
import time

LIMIT = 60  # seconds


def read_until(fd, text):
    """Return the shell's output up to and including TEXT."""
    seen = b""
    end = time.monotonic() + LIMIT
    while text not in seen:
        left = end - time.monotonic()
        if left <= 0 or not select.select([fd], [], [], left)[0]:
            sys.exit(f"'{text.decode()}' does not appear: {seen!r}")
        seen += os.read(fd, 4096)
    return seen


def main():
    init, typed, *shell = sys.argv[1:]
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execvp(shell[0], shell)
    # Wait for the prompt: before that, the shell does not read single keys.
    os.write(fd, f"{init}; PS1='rea''dy> '\n".encode())
    read_until(fd, b"ready> ")
    os.write(fd, typed.encode() + b"\t")
    # Ctrl-E Ctrl-U: delete the whole line, wherever the cursor is.
    os.write(fd, b"\x05\x15echo do''ne\n")
    seen = read_until(fd, b"done\r")
    os.write(fd, b"exit\n")
    os.waitpid(pid, 0)
    sys.stdout.write(seen.decode(errors="replace"))


main()
