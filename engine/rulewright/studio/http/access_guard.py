"""Access control for the studio's server.

Requests must name this computer as their host, which defeats DNS rebinding. They must come from no other origin,
according to the headers that browsers send, and must have the session token. Only the printed address contains the
token. After the first visit, it is in a cookie that no script can read.
"""

from __future__ import annotations

import hmac
import json
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
"""The host names of this machine."""

POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "frame-src 'self'; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'self'"
)
"""The Content Security Policy of the studio's page. The editor inserts its styles as a `<style>` element."""

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_DOOR = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Rulewright studio</title></head>
<body style="font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">
<h1>Access token required</h1>
<p>To open the studio, use the address that <code>rulewright studio</code> printed when it started. It ends with
<code>?token=…</code>. Open it once in this browser. If the studio was restarted, use the latest address.</p>
<p>If you followed a link and have already opened the studio in this browser, <a href="/?">continue</a>.</p>
<script>%s</script>
</body></html>
"""

# After a link from another site, browsers do not send the cookie (SameSite=Strict). This same-origin link sends it, and
# keeps the fragment with the shared rules.
_ALONG = 'document.querySelector("a").href = "/?" + location.hash'
_ALONG_ONLY = "'sha256-" + b64encode(sha256(_ALONG.encode()).digest()).decode() + "'"

_ON = 'location.replace("/" + location.hash)'
_ON_ONLY = "'sha256-" + b64encode(sha256(_ON.encode()).digest()).decode() + "'"
_PASSAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Rulewright studio</title><script>%s</script></head>
<body><a href="/">To the studio</a></body></html>
"""


@dataclass(slots=True, eq=False)
class Guard:
    """An ASGI middleware that passes only authorized requests to `app`. `port` is the server's own port."""

    app: ASGIApp
    token: str
    port: int

    @property
    def cookie(self) -> str:
        """The cookie's name, which contains the port because browsers share cookies between ports."""
        return f"rulewright-studio-{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, set the cookie of one for `/` with the token, or pass it to the app."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await _refuse(scope, receive, send, *refused)
        elif scope["type"] == "http" and scope["path"] == "/" and self._find_token(scope) is not None:
            await self._let_in(scope, send)
        elif not self._is_known(scope):
            await _refuse(
                scope, receive, send, 401, "open the address that `rulewright studio` printed, in this browser"
            )
        else:
            await self.app(scope, receive, _add_headers(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and reason for refusing a request to another host name or from another origin, or None."""
        headers = Headers(scope=scope)
        own = {f"{name}:{self.port}" for name in NAMES}
        if len(headers.getlist("host")) != 1 or headers["host"].lower() not in own:
            return 421, f"this server only answers requests to {HOST}:{self.port}"
        origins = headers.getlist("origin")
        if any(origin.lower() != f"http://{headers['host'].lower()}" for origin in origins):
            return 403, "pages from other origins have no access"
        site = headers.get("sec-fetch-site", "none")
        opened = headers.get("sec-fetch-dest") == "document" and scope.get("method") in ("GET", "HEAD")
        if site not in ("none", "same-origin") and not opened:
            return 403, "pages from other origins have no access"
        return None

    def _find_token(self, scope: Scope) -> str | None:
        """Return the token in the address if it is the right one, else None."""
        named = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        return named[0] if named and hmac.compare_digest(named[0].encode(), self.token.encode()) else None

    def _is_known(self, scope: Scope) -> bool:
        """Return whether a request has the cookie with the token."""
        # The browser also sends cookies that other programs set on other ports. A strict parser could reject ours
        # because of a malformed one.
        for line in Headers(scope=scope).getlist("cookie"):
            for each in line.split(";"):
                name, _, value = each.strip().partition("=")
                if name == self.cookie and hmac.compare_digest(value.encode(), self.token.encode()):
                    return True
        return False

    async def _let_in(self, scope: Scope, send: Send) -> None:
        """Set the cookie, and lead the browser on to an address without the token."""
        cookie = f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        if Headers(scope=scope).get("sec-fetch-site") != "cross-site":
            await _answer(send, 303, b"", "text/plain", {"Location": "/", "Set-Cookie": cookie})
            return
        # After a cross-site navigation, such as from the local redirect page, the browser does not send the new cookie
        # on a redirect. This page continues from the same origin instead.
        policy = f"default-src 'none'; script-src {_ON_ONLY}; frame-ancestors 'none'"
        more = {"Set-Cookie": cookie, "Content-Security-Policy": policy}
        await _answer(send, 200, (_PASSAGE % _ON).encode(), "text/html; charset=utf-8", more)


def _add_headers(send: Send) -> Send:
    """Return a `send` that adds the security headers to every response."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in {**_HEADERS, "Content-Security-Policy": POLICY}.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    """Close a web socket with the code 4000 + `status`, or answer a request with an error.

    The answer is JSON, or for an unknown browser outside of `/api/` a page.
    """
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": why})
    elif status == 401 and not scope["path"].startswith("/api/"):
        policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {_ALONG_ONLY}; frame-ancestors 'none'"
        page = (_DOOR % _ALONG).encode()
        await _answer(send, status, page, "text/html; charset=utf-8", {"Content-Security-Policy": policy})
    else:
        body = json.dumps({"error": {"message": why, "diagnostics": []}}).encode()
        await _answer(send, status, body, "application/json", {})


async def _answer(send: Send, status: int, body: bytes, kind: str, more: dict[str, str]) -> None:
    """Send a whole response with the security headers. The headers in `more` take precedence."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    texts = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Content-Security-Policy": policy,
        **_HEADERS,
        **more,
    }
    headers = [(name.lower().encode(), value.encode()) for name, value in texts.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
