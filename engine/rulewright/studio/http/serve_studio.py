"""The `rulewright studio` process, from choosing a port to an orderly shutdown."""

from __future__ import annotations

import os
import signal
import socket
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn

from rulewright.base.errors import RulewrightError
from rulewright.studio.http.access_guard import HOST
from rulewright.studio.http.http_app import build_app
from rulewright.studio.http.project import Project
from rulewright.studio.storage.session_token import (
    SessionToken,
    close_way_in,
    make_token,
    read_token_file,
    save_token_file,
    write_way_in,
)

TOKEN = "RULEWRIGHT_STUDIO_TOKEN"
"""The environment variable with the token, so that a restarted studio accepts the same windows."""

_SHORTEST = 16


class _Server(uvicorn.Server):
    """A server that ends event streams before shutdown, because open streams would block it."""

    studio: Project

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.studio.desk.jobs.stop_all()  # simulations end while the server shuts down
        self.studio.bell.close()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle SIGHUP like the other signals, for an orderly shutdown when the terminal closes."""
        number = getattr(signal, "SIGHUP", None)  # not available on every system
        with super().capture_signals():
            if number is None or threading.current_thread() is not threading.main_thread():
                yield
                return
            before = signal.signal(number, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(number, before)


def serve(root: Path, rules: Sequence[Path], *, port: int = 0, browser: bool = True, fresh: bool = False) -> None:
    """Serve the studio of a folder until the user interrupts it.

    A port of 0 means the folder's last port or, if that is taken, any free port. The function prints the studio's
    address and opens a browser if `browser` is true. It stores the token for the next start. `fresh` replaces it with a
    new one.

    Raises `RulewrightError` if the folder is not usable, the port is taken, or the token in the environment is invalid.
    """
    here = Path(os.path.realpath(root))
    token_file = read_token_file(here)
    token = os.environ.get(TOKEN) or (token_file.token if token_file is not None and not fresh else make_token())
    if len(token) < _SHORTEST or not token.replace("-", "").replace("_", "").isalnum() or not token.isascii():
        raise RulewrightError(f"${TOKEN} is not a valid token: use at least {_SHORTEST} letters and digits")
    listening, moved = _find(port, token_file.port if token_file is not None else 0)
    if moved and TOKEN not in os.environ:
        # An open window may have sent the token to the program that now uses the old port.
        token = make_token()
    bound = listening.getsockname()[1]
    try:
        studio = Project(root, rules)
        studio.open()
        # Another studio on this folder may use the last port, so the next start tries that port again. A token from the
        # environment is not stored.
        lasting = make_token() if TOKEN in os.environ or moved else token
        save_token_file(
            studio.root, SessionToken(token_file.port if moved and token_file is not None else bound, lasting)
        )
        config = uvicorn.Config(
            build_app(studio, token=token, port=bound),
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=64 * 1024 * 1024,
            timeout_graceful_shutdown=1,
        )
        server = _Server(config)
        server.studio = studio
        address = f"http://{HOST}:{bound}/?token={token}"
        if moved and token_file is not None:
            print(
                f"Port {token_file.port}, used last time, is taken: unsaved changes in a browser stay with that port.",
                flush=True,
            )
        print(f"The studio of {studio.root} is at {address}", flush=True)
        print("Stop it with Ctrl-C.", flush=True)
        if browser:
            page = write_way_in(studio.root, address).as_uri()
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()
        server.run(sockets=[listening])
    finally:
        listening.close()
        close_way_in(here)


def _find(port: int, last: int) -> tuple[socket.socket, bool]:
    """Return a listening socket, and whether the port `last` (0 if none) was taken and another one is used.

    A nonzero `port` is used or refused. Otherwise `last` comes first and then any free port. Raises `RulewrightError`
    if the port cannot be used.
    """
    if port or not last:
        return _listen(port), False
    try:
        return _listen(last), False
    except RulewrightError:
        return _listen(0), True


def _listen(port: int) -> socket.socket:
    """Return a listening socket, on any free port for 0. Raises `RulewrightError` if the port cannot be used."""
    result = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # on Windows, this option would let another program use the same port
            result.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        result.bind((HOST, port))
        result.listen(128)
    except (OSError, OverflowError) as error:
        result.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise RulewrightError(
            f"cannot listen on port {port} ({reason}); leave out `--port` to use a free one"
        ) from None
    return result
