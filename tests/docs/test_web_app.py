"""The web app of the documentation: two clients play a whole game at one table, and a browser does."""

from __future__ import annotations

import importlib.util
import json
import socket
import sys
from collections.abc import Iterator
from random import Random
from threading import Thread
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from rulewright import Game, RulesFault, load_ruleset
from rulewright.base.resources import find_resource
from rulewright.engine.game.json_contracts import CONTRACTS

pytest.importorskip("starlette")
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

if TYPE_CHECKING:
    from playwright.sync_api import Browser

APP = find_resource("rules").parent / "site" / "docs" / "integrate" / "web-app" / "table.py"


def loaded(rules: str) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLE_RULES", rules)
        spec = importlib.util.spec_from_file_location("table", APP)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        patch.setitem(sys.modules, "table", module)
        spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def web_app() -> ModuleType:
    return loaded("pig/classic@1.0")


@pytest.fixture
def client(web_app: ModuleType) -> Iterator[TestClient]:
    with TestClient(web_app.app) as client:
        yield client


def opened(client: TestClient, **settings: Any) -> tuple[str, list[str]]:
    answer = client.post("/tables", json=settings)
    assert answer.status_code == 201
    return answer.json()["table"], answer.json()["seats"]


def test_the_table_that_was_left_longest_ago_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLE_MOST", "3")
    with TestClient(loaded("pig/classic@1.0").app) as client:
        first, second, third = (opened(client)[0] for _ in range(3))
        with client.websocket_connect(f"/tables/{first}/watch"):
            assert client.get(f"/tables/{second}").status_code == 200  # used later than the third
            fourth = opened(client)[0]
            response = {name: client.get(f"/tables/{name}").status_code for name in (first, second, third, fourth)}
            assert response == {first: 200, second: 200, third: 404, fourth: 200}
            with (
                client.websocket_connect(f"/tables/{second}/watch"),
                client.websocket_connect(f"/tables/{fourth}/watch"),
            ):
                assert client.post("/tables", json={}).status_code == 503


@pytest.mark.parametrize("rules", ["pig/classic@1.0", "classics/connect-four@1.0"])
def test_two_clients_play_a_whole_game(rules: str) -> None:
    """Each sees the other's move through its socket, options in its own turn alone, and both the same end."""
    module = loaded(rules)
    view = Draft202012Validator(CONTRACTS["view"].make(None))
    random = Random(4)
    with TestClient(module.app) as client:
        table, seats = opened(client)
        path = f"/tables/{table}/watch?seat="
        with client.websocket_connect(path + seats[0]) as one, client.websocket_connect(path + seats[1]) as other:
            response = [one.receive_json(), other.receive_json()]
            moves = 0
            while response[0]["result"] is None:
                for seat, each in enumerate(response, start=1):
                    view.validate({key: value for key, value in each.items() if key not in ("news", "move")})
                    assert each["your_turn"] == (each["decision"]["player"] == seat)
                    assert bool(each["decision"]["options"]) == each["your_turn"]
                turn = response[0]["decision"]["player"] - 1
                option = random.choice(response[turn]["decision"]["options"])["id"]
                choice = {"seat": seats[turn], "option": option, "move": response[turn]["move"]}
                answer = client.post(f"/tables/{table}/choose", json=choice)
                assert answer.status_code == 200
                again = client.post(f"/tables/{table}/choose", json=choice)
                assert again.status_code == 409  # a second click
                response = [one.receive_json(), other.receive_json()]
                assert answer.json() == response[turn]
                moves += 1
            assert moves > 5
            assert response[0]["result"] == response[1]["result"]
            assert response[0]["decision"] is None
        again = module.reopened(module.app.state.tables.known[table].kept())
        assert again.shown(1) == response[0] | {"news": again.shown(1)["news"]}
        assert list(again.shown(1)["news"]) == response[0]["news"]


def test_nobody_plays_for_another(client: TestClient) -> None:
    table, seats = opened(client)
    choice = {"option": "roll", "move": 0}
    for secret, status in ((seats[1], 409), ("", 409), ("guess", 403), ("ü", 403), (seats[0], 200)):
        assert client.post(f"/tables/{table}/choose", json={**choice, "seat": secret}).status_code == status
    for sent in ("[1]", "{", "[" * 9_000, "x" * 20_000):
        assert client.post(f"/tables/{table}/choose", content=sent).status_code == 400
    wrong = {"seat": seats[0], "option": "fly", "move": client.get(f"/tables/{table}").json()["move"]}
    answer = client.post(f"/tables/{table}/choose", json=wrong)
    if answer.status_code == 400:  # unless a 1 has passed the turn on
        assert "cannot choose `fly`" in answer.json()["error"]
        assert "/" not in answer.json()["error"].partition("`game.move`")[2]
    assert client.get("/tables/nowhere").status_code == 404
    assert client.get(f"/tables/{table}?seat=guess").status_code == 403
    assert client.post("/tables", json={"players": "2"}).status_code == 400
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/tables/{table}/watch?seat=guess"):
        pass
    assert client.get(f"/tables/{table}").json()["seat"] is None


def test_a_fault_of_the_rules_reveals_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RulesFault(next(iter(load_ruleset("pig/classic@1.0").steps.values())), "`hand` would be -7")

    monkeypatch.setattr(Game, "choose", fail)
    with TestClient(loaded("pig/classic@1.0").app) as client:
        table, seats = opened(client)
        response = client.get(f"/tables/{table}?seat={seats[0]}").json()
        sent = {"seat": seats[0], "option": "roll", "move": response["move"]}
        answer = client.post(f"/tables/{table}/choose", json=sent)
        assert answer.status_code == 400
        assert "the rules fail at" in answer.text
        assert "-7" not in answer.text


@pytest.mark.parametrize(("key", "status"), [("seat", 403), ("option", 400)])
def test_half_a_character_is_refused_like_anything_else(client: TestClient, key: str, status: int) -> None:
    """JSON can hold one, and no answer can be sent that does."""
    table, seats = opened(client)
    choice = {"seat": seats[0], "option": "roll", "move": 0, key: "\ud800"}
    answer = client.post(f"/tables/{table}/choose", content=json.dumps(choice))
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.browser
def test_a_browser_plays(web_app: ModuleType, browser: Browser) -> None:
    import uvicorn

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(web_app.app, port=port, log_level="error", ws="websockets-sansio"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
        first, second = browser.new_page(), browser.new_page()
        faults: list[str] = []
        for page in (first, second):
            page.on("pageerror", lambda error: faults.append(str(error)))
        first.goto(f"http://127.0.0.1:{port}/")
        first.get_by_role("button", name="Open a table").click()
        links = first.get_by_role("link")
        links.nth(1).wait_for()
        href = links.nth(1).get_attribute("href")
        links.nth(0).click()
        second.goto(f"http://127.0.0.1:{port}/{href}")
        second.get_by_text("you are Player 2").wait_for()
        second.get_by_text("Player 1: Roll once more, or hold?").wait_for()
        assert second.get_by_role("button").count() == 0 or not second.get_by_role("button", name="Hold").is_visible()
        first.get_by_role("button", name="Hold").click()
        second.get_by_role("button", name="Hold").wait_for()
        second.get_by_text("Player 1 chooses: Hold").first.wait_for()
        assert faults == []
        stored = json.loads(web_app.app.state.tables.known[next(reversed(web_app.app.state.tables.known))].kept())
        assert len(stored["seats"]) == 2
    finally:
        server.should_exit = True
        thread.join(20)
