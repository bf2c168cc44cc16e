#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Make pictures of a page: shots.py PAGE NAME=STATE...

Each picture is written to NAME, a PNG file. STATE is the hash of the page's URL, such as
theme=dark&shape=flame. The hottest function is selected, so that its instructions are seen.
The picture of README.md is made by

    perf record -F 999 -e cpu-clock --call-graph dwarf,16384 -o tprof.data \\
            -- tprof-lx report --stdio -i OTHER
    tprof-lx html
    selftests/page/shots.py tprof.html \\
            Documentation/page.png='theme=light&shape=flame&order=weight'

by perf, so that a machine without the module can make it.
"""
import sys
import time

from browser import Browser


def main():
    page, *shots = sys.argv[1:]
    browser = Browser()
    browser.resize(1280, 800)
    try:
        for shot in shots:
            name, _, state = shot.partition("=")
            browser.open(page, state)
            browser.js("tprof.select(tprof.hottest())")
            time.sleep(0.3)
            browser.driver.save_screenshot(name)
    finally:
        browser.quit()


if __name__ == "__main__":
    sys.exit(main())
