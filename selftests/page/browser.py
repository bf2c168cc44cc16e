# SPDX-License-Identifier: GPL-2.0-only
"""Headless Chromium with a page, and the result lines of its tests."""
import os
import sys
import time

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


class Results:
    """Counts the tests that fail, and prints a line for each test."""

    def __init__(self):
        self.failed = 0

    def check(self, good, name):
        self.failed += not good
        print(("ok " if good else "not ok ") + name, flush=True)


class Browser:
    def __init__(self):
        options = Options()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--window-size=1280,900"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
        self.driver = webdriver.Chrome(service=Service(driver), options=options)
        self.js = self.driver.execute_script

    def open(self, path, state=""):
        """Open the page in the file @path. @state is the hash of its URL, or None."""
        self.driver.get("about:blank")
        self.driver.get(f"file://{os.path.abspath(path)}" + ("" if state is None else f"#{state}"))
        self.wait()

    def wait(self):
        """Wait until the page has started. On a busy machine, that takes more than 30 s."""
        for _ in range(2400):
            if self.js("return !!window.tprof"):
                return
            time.sleep(0.05)
        sys.exit("the page does not start")

    def resize(self, width, height):
        """Give the page a size, also one that is less than the least one of a window."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def set(self, **state):
        self.js("tprof.set(arguments[0])", state)

    def choose_event(self, name):
        self.js("tprof.set({ event: tprof.data.events.findIndex((event) =>"
                " event.name === arguments[0]) })", name)

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def press_on(self, element, *keys):
        """Give the focus to an element that the page has as @element, and press keys."""
        self.js(f"{element}.focus()")
        self.press(*keys)

    def drag(self, element, start, by):
        """Drag from @start of an element's middle on, by @by; both are (x, y)."""
        drag = ActionChains(self.driver).move_to_element_with_offset(element, *start)
        drag.click_and_hold().move_by_offset(*by).release().perform()

    def errors(self):
        return self.driver.get_log("browser")

    def quit(self):
        self.driver.quit()
