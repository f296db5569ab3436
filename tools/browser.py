#!/usr/bin/env python3
"""A headless Chromium that looks at a page of ours: for tests/pages/watch_page_test.py, and for stills.

    tools/browser.py PAGE PICTURE [WIDTHxHEIGHT] [dark] [JAVASCRIPT]    a .png or .webp of the page

It is told what to do through a pipe (--remote-debugging-pipe), so it needs no library.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


def find():
    """The browser's path, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    def __init__(self, width=1400, height=900):
        self.folder = tempfile.TemporaryDirectory(prefix="browser")
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()
        for fd in (to_read, from_write):
            os.set_inheritable(fd, True)
        # The browser reads from 3 and writes to 4.
        start = f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}'
        self.process = subprocess.Popen(
            ["bash", "-c", start, find(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-background-networking", "--no-first-run", f"--user-data-dir={self.folder.name}",
             "--remote-debugging-pipe", f"--window-size={width},{height}", "about:blank"],
            pass_fds=(to_read, from_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.events = b"", 0, []
        target = next(t for t in self.call("Target.getTargets", session=None)["targetInfos"]
                      if t["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Performance.enable", timeDomain="threadTicks")
        self.shape(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", session=None)
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        for _ in range(20):  # its last children may still write there
            try:
                self.folder.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    def read(self):
        while b"\0" not in self.buffer:
            data = os.read(self.back, 1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, session="the page", **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session is not None and getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def shape(self, width, height, dark=False, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=mobile)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, url):
        """Loads a page; the seconds that the browser's thread has worked until it is there."""
        self.events.clear()
        began = self.work()
        self.call("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.read())
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        done = self.work()
        return done - began if done > began else done  # in a process of its own it begins again

    def work(self):
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    def run(self, expression):
        """The value of a JavaScript expression; of a promise, what it promises."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def key(self, key, shift=False, control=False, code=0):
        """Presses a key. The code is Windows' number of it, by which the browser knows its own keys."""
        codes = {" ": "Space", "v": "KeyV"}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=codes.get(key, key),
                      modifiers=(8 if shift else 0) + (2 if control else 0), windowsVirtualKeyCode=code)

    def complaints(self):
        """What the console has said, and errors."""
        said = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                said.append(event["params"]["exceptionDetails"].get("exception", {}).get("description", "?"))
            elif event.get("method") in ("Runtime.consoleAPICalled", "Log.entryAdded"):
                said.append(json.dumps(event["params"])[:300])
        return said

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events
                if e.get("method") == "Network.requestWillBeSent"]

    def picture(self, file):
        kind = pathlib.Path(file).suffix[1:]  # png or webp
        quality = {"quality": 85} if kind == "webp" else {}
        data = self.call("Page.captureScreenshot", format=kind, **quality)["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    if find() is None:
        print("there is no browser: apt-get install chromium", file=sys.stderr)
        return 77
    page, picture, *rest = sys.argv[1:]
    dark = "dark" in rest
    size = next((word for word in rest if word.replace("x", "").isdigit()), "1400x900")
    width, height = map(int, size.split("x"))
    script = [word for word in rest if word not in ("dark", size)]
    with Browser(width, height) as browser:
        browser.shape(width, height, dark, width < 600)
        browser.open(pathlib.Path(page).resolve().as_uri())
        for one in script:
            browser.run(one)
        browser.run("new Promise(done => setTimeout(done, 200))")
        browser.picture(picture)
        for complaint in browser.complaints():
            print(complaint)
    return 0


if __name__ == "__main__":
    sys.exit(main())
