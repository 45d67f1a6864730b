"""`rulewright studio` as a process: a port of this machine, the address to come by, and an end in order."""

from __future__ import annotations

import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import uvicorn

from rulewright.errors import RulewrightError
from rulewright.studio.workbench.app import app_of
from rulewright.studio.workbench.guard import HOST
from rulewright.studio.workbench.studio import Studio

TOKEN = "RULEWRIGHT_STUDIO_TOKEN"
"""The variable that may name the token, so that a studio that is started anew lets the same windows in."""

_SHORTEST = 16


class _Server(uvicorn.Server):
    """A server that says goodbye first: windows that listen would else keep it from ending."""

    studio: Studio

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.studio.bell.close()
        super().handle_exit(sig, frame)


def serve(root: Path, rules: Sequence[Path], *, port: int = 0, browser: bool = True) -> None:
    """Serve the studio of a folder until interrupted; a port of 0 is any free one.

    Raises `RulewrightError` where the folder cannot be used, or nobody can listen at the port.
    """
    token = os.environ.get(TOKEN) or secrets.token_urlsafe(32)
    if len(token) < _SHORTEST or not token.replace("-", "").replace("_", "").isalnum() or not token.isascii():
        raise RulewrightError(f"${TOKEN} is no token: it takes at least {_SHORTEST} letters and figures")
    listening = _listening(port)
    try:
        studio = Studio(root, rules)
        studio.open()
        bound = listening.getsockname()[1]
        config = uvicorn.Config(
            app_of(studio, token=token, port=bound),
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=64 * 1024 * 1024,
            timeout_graceful_shutdown=2,
        )
        server = _Server(config)
        server.studio = studio
        address = f"http://{HOST}:{bound}/?token={token}"
        print(f"The studio of {studio.root} is at {address}", flush=True)
        print("Stop it with Ctrl-C.", flush=True)
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        server.run(sockets=[listening])
    finally:
        listening.close()


def _listening(port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let somebody else listen at the same port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
        found.listen(128)
    except (OSError, OverflowError) as error:
        found.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise RulewrightError(
            f"nobody can listen at port {port} ({reason}); without `--port`, any free one is taken"
        ) from None
    return found
