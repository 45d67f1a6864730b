"""The web app of a site, which can be installed and used offline: a manifest, icons, and a service worker."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rulewright.base.incremental.known_values import get_value
from rulewright.base.resources import find_resource
from rulewright.book.changes.edition_history import PublishedEdition
from rulewright.book.site.raster_images import BRAND, draw_icon, render_png
from rulewright.book.style.assets import FOLDER as ASSETS

MANIFEST = "manifest.webmanifest"
WORKER = "offline.js"
"""The script of the service worker, at the root because it can only serve its own folder and those below."""

_PAPER = "#fbf8f1"
_LEFT_OUT = frozenset({WORKER, "404.html", "sitemap.xml"})
"""The files that no page requests, or that hosts do not serve under their own name."""

_DIGITS = 16
"""The number of hexadecimal digits of a file's SHA-256 that identify its version."""

RETIRE = """\
// The development server caches nothing. Remove what an earlier site at this address has cached.
addEventListener("install", () => skipWaiting())
addEventListener("activate", event => {
  async function end() {
    for (const name of await caches.keys()) if (name.startsWith("rulewright ")) await caches.delete(name)
    await registration.unregister()
    for (const page of await clients.matchAll({ type: "window" })) page.navigate(page.url)
  }
  event.waitUntil(end())
})
"""


def write_app(published: Sequence[PublishedEdition], site: Path) -> None:
    """Write the web app manifest and the icons into `site`. `write_worker` writes the service worker, last of all."""
    for name, size, padded in (("icon-192", 192, False), ("icon-512", 512, False), ("icon-maskable", 512, True)):
        svg = draw_icon(padded=padded)
        picture = get_value(["picture", svg, size], partial(_draw, svg, size))
        (site / ASSETS / f"{name}.png").write_bytes(b64decode(picture))
    title = published[0].edition.title if len(published) == 1 else "Rulebooks"
    manifest = {
        "id": "./",
        "name": title,
        "short_name": title,
        "description": "Rules to consult at the table, even offline.",
        "lang": "en",
        "start_url": "index.html",
        "scope": "./",
        "display": "minimal-ui",
        "background_color": _PAPER,
        "theme_color": BRAND,
        "icons": [
            {"src": f"{ASSETS}/shield.svg", "sizes": "any", "type": "image/svg+xml"},
            {"src": f"{ASSETS}/icon-192.png", "sizes": "192x192", "type": "image/png"},
            {"src": f"{ASSETS}/icon-512.png", "sizes": "512x512", "type": "image/png"},
            {"src": f"{ASSETS}/icon-maskable.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
    }
    (site / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _draw(svg: str, size: int) -> str:
    """Return a drawing as a PNG in base 64."""
    return b64encode(render_png(svg, width=size)).decode("ascii")


def write_worker(published: Sequence[PublishedEdition], site: Path) -> None:
    """Write the service worker, with the size and digest of every file in `site` except hidden ones and `_LEFT_OUT`.

    Call it when all files are written.
    """
    files = {}
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        name = path.relative_to(site).as_posix()
        if name not in _LEFT_OUT and not path.name.startswith("."):
            data = path.read_bytes()
            files[name] = [len(data), hashlib.sha256(data).hexdigest()[:_DIGITS]]
    script = (find_resource("site") / "overrides" / WORKER).read_text(encoding="utf-8")
    build = hashlib.sha256(json.dumps([files, script]).encode()).hexdigest()[:_DIGITS]
    texts = {"BUILD": build, "FILES": files, "BOOKS": [item.folder for item in published]}
    head = "".join(f"const {name} = {_script(value)}\n" for name, value in texts.items())
    (site / WORKER).write_text(head + script, encoding="utf-8")


def _script(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
