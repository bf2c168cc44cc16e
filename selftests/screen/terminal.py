# SPDX-License-Identifier: GPL-2.0-only
"""A program in a terminal: its screen by pyte, its bytes, and the modes of the terminal."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import pyte

LIMIT = 60  # seconds to wait for anything


class Screen(pyte.Screen):
    """pyte.Screen, with the two sequences of ncurses that it does not know."""

    def scroll(self, change, count):
        y, x = self.cursor.y, self.cursor.x
        self.cursor.y = self.margins.top if self.margins else 0
        change(count)
        self.cursor.y, self.cursor.x = y, x

    def scroll_up(self, count=1):
        self.scroll(self.delete_lines, count)

    def scroll_down(self, count=1):
        self.scroll(self.insert_lines, count)


class Stream(pyte.ByteStream):
    csi = dict(pyte.ByteStream.csi, S="scroll_up", T="scroll_down")
    events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}


class Terminal:
    """A program that was started in a terminal of its own."""

    def __init__(self, argv, size=(80, 24), term="screen-256color", **env):
        self.raw = b""
        self.status = None
        self.main, side = pty.openpty()
        self.resize(*size, tell=False)
        self.modes = termios.tcgetattr(side)
        self.screen = Screen(*size)
        self.stream = Stream(self.screen)
        self.side = side
        self.pid = os.fork()
        if not self.pid:
            self._run(argv, dict(os.environ, TERM=term, **env))

    def _run(self, argv, env):
        env.pop("LINES", None)
        env.pop("COLUMNS", None)
        os.setsid()
        fcntl.ioctl(self.side, termios.TIOCSCTTY, 0)
        for fd in range(3):
            os.dup2(self.side, fd)
        os.closerange(3, 64)
        # A shell without job control starts a check in the background that ignores both.
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(argv[0], argv, env)

    def resize(self, width, height, tell=True):
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        if tell:
            self.screen.resize(height, width)

    def read(self, seconds):
        """Read what the program writes. Return False if it writes nothing for SECONDS."""
        if not select.select([self.main], [], [], seconds)[0]:
            return False
        data = os.read(self.main, 65536)
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def wait(self, what, condition):
        """Wait until CONDITION(self) is true. Return its value."""
        end = time.monotonic() + LIMIT
        while True:
            value = condition(self)
            if value:
                return value
            left = end - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError(f"{what}: not on the screen:\n" + "\n".join(self.lines()))

    def send(self, keys):
        os.write(self.main, keys if isinstance(keys, bytes) else keys.encode())

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def line(self, y):
        # screen.display would make all lines, which takes long.
        row = self.screen.buffer[y]
        return "".join(row[x].data for x in range(self.screen.columns)).rstrip()

    def cursor(self):
        """Return the number of the line with the cursor, or None."""
        for y in range(self.screen.lines):
            if self.screen.buffer[y][0].reverse:
                return y
        return None

    def kill(self, number):
        os.kill(self.pid, number)

    def end(self):
        """Wait until the program ends. Return its status, negative for a signal."""
        end = time.monotonic() + LIMIT
        while self.status is None:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                self.kill(signal.SIGKILL)
                raise AssertionError("the program does not end")
        while self.read(0):
            pass
        return self.status

    def has_old_modes(self):
        return termios.tcgetattr(self.side) == self.modes

    def close(self):
        if self.status is None:
            self.kill(signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.main)
        os.close(self.side)
