"""Two people at one table play: moves, an attack with all that follows, undo, reload, hand-over, replay."""

from __future__ import annotations

from playwright.sync_api import expect
from table import click_hex, end_phase, go_on_to, log_of, move_to_a_bridge, part, place, wait_asked
from visitors import DESKTOP, Opener, Served, Shots


def test_moving_on_the_map_and_taking_it_back(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    end_phase(page)
    wait_asked(page, "Move your units")
    click_hex(page, "1209")
    expect(page.locator(".acting .chip").first).to_contain_text("SPEZIA")
    expect(page.locator("polygon.reach")).not_to_have_count(0)
    page.mouse.move(700, 300)
    shots(page, "reach.png")
    click_hex(page, "1110")
    wait_asked(page, "SPEZIA still has")
    expect(page.locator("[data-unit=it-spezia]")).to_be_visible()
    part(page, "undo").click()
    expect(part(page, "what-now")).not_to_contain_text("SPEZIA")

    click_hex(page, "1209")
    click_hex(page, "1208")  # an enemy stands there: refused, with the rule
    refusal = part(page, "refusal")
    expect(refusal).to_be_visible()
    refusal.get_by_role("button", name="Open rule").first.click()
    expect(page.locator("details[data-rule][open]")).to_be_visible()

    part(page, "tab-now").click()
    page.keyboard.press("Escape")
    page.get_by_test_id("map").focus()
    page.keyboard.press("n")
    page.keyboard.press("e")
    expect(page.get_by_role("alertdialog")).to_contain_text("could still move")
    shots(page, "end-of-phase.png")

    page.get_by_role("button", name="Go back").click()
    page.get_by_role("button", name="Whole map").click()
    click_hex(page, "2415")  # a brigade in reserve: one may ask why it does not move
    expect(page.locator(".acting")).to_contain_text("It cannot move now")
    click_hex(page, "2416")
    expect(part(page, "refusal")).to_contain_text("reserve")


def test_waypoints_make_another_way(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    end_phase(page)
    wait_asked(page, "Move your units")
    click_hex(page, "1209")
    page.get_by_label("Hex by hex").check()
    click_hex(page, "1110")
    expect(page.get_by_role("button", name="Go to 1110")).to_be_visible()
    click_hex(page, "1210")
    page.get_by_role("button", name="Go to 1210").click()
    part(page, "tab-log").click()
    expect(page.get_by_text("SPEZIA moves 1209-").first).to_contain_text("1110")


def test_a_bridge_is_blown_when_the_enemy_comes(open_page: Opener, served: Served, shots: Shots) -> None:
    unit, goal = move_to_a_bridge()
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    end_phase(page)
    wait_asked(page, "Move your units")
    part(page, "tab-list").click()
    part(page, f"list-open-{unit}").click()
    part(page, f"list-goal-{unit}").select_option(goal)
    part(page, f"list-move-{unit}").click()
    wait_asked(page, "blow")
    expect(part(page, "state")).to_contain_text("You: Austro-Hungarian")
    shots(page, "demolition.png")
    part(page, "do-blow").click()
    wait_asked(page, "Move your units")
    part(page, "tab-log").click()
    expect(page.get_by_text("A die of").first).to_be_visible()


def test_a_unit_is_dragged_and_two_move_together(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    end_phase(page)
    wait_asked(page, "Move your units")
    click_hex(page, "1308")
    expect(page.locator(".acting .chip").first).to_contain_text("TARO")
    page.mouse.move(*place(page, "1308"))
    page.mouse.down()
    page.mouse.move(*place(page, "1209"), steps=4)
    page.mouse.move(*place(page, "1110"), steps=4)
    expect(page.locator("path.way")).to_have_count(1)
    page.mouse.up()
    wait_asked(page, "TARO still has")
    page.keyboard.press("Escape")
    part(page, "undo").click()

    click_hex(page, "1611")  # two brigades
    page.locator(".acting .chip[aria-pressed]").first.click()
    part(page, "move-to").select_option("1612")
    part(page, "move-go").click()
    part(page, "tab-log").click()
    for name in ("BRESCIA", "BELLUNO"):
        expect(page.get_by_text(f"{name} moves 1611-1612")).to_be_visible()


def test_stacks_fan_out_and_groups_go_where_friends_stand(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    go_on_to(page, "Move your units")
    click_hex(page, "1611")  # two brigades and engineers
    fan = page.locator("rect.fan")
    expect(fan).to_have_count(1)
    engineers = page.locator("[data-unit=it-pont-7]").bounding_box()
    assert engineers is not None
    page.mouse.click(engineers["x"] + engineers["width"] / 2, engineers["y"] + engineers["height"] / 2)
    expect(page.locator(".acting .chip").first).to_contain_text("7 PONT.")  # though it lies over the next hex
    page.locator(".acting .chip[aria-pressed]", has_text="BRESCIA").click()
    click_hex(page, "1612")  # guns stand there: they are chosen, and the others may still go there
    expect(page.locator(".acting .chip").first).to_contain_text("ART. XXIV/1")
    expect(page.locator("g.over text").first).to_be_visible()  # what can be reached is told over counters too
    part(page, "go-there").click()
    log = log_of(page)
    for name in ("7 PONT.", "BRESCIA"):
        expect(log.get_by_text(f"{name} moves 1611-1612")).to_be_visible()
    page.keyboard.press("1")
    click_hex(page, "1209")
    x, y = place(page, "1110")
    page.mouse.click(x, y, button="right")
    wait_asked(page, "SPEZIA still has")


def test_layers_are_switched_on_the_map(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    part(page, "layers").click()
    part(page, "layer-zones").check()
    expect(page.locator("path.zone.italian").first).to_be_visible()
    expect(page.locator("circle.zone.ah").first).to_be_visible()
    part(page, "layer-control").check()
    expect(page.locator("path.held")).to_have_count(1)
    expect(page.locator("svg.ground .levels")).to_be_hidden()
    part(page, "layer-altitude").check()
    expect(page.locator("svg.ground .levels text").first).to_be_visible()
    shots(page, "layers.png")
    part(page, "layer-units").uncheck()
    expect(page.locator("[data-unit]")).to_have_count(0)
    part(page, "layer-numbers").uncheck()
    expect(page.locator("svg.ground .numbers")).to_be_hidden()
    part(page, "layer-names").uncheck()
    expect(page.locator("svg.play .names")).to_be_hidden()
    part(page, "layer-relief").uncheck()
    expect(page.locator("svg.ground .relief")).to_be_hidden()
    before = page.locator(".world").get_attribute("style")
    page.keyboard.press("+")
    page.get_by_role("button", name="Closer").click()
    page.get_by_role("button", name="Small map").click(position={"x": 150, "y": 20})
    expect(page.locator(".world")).not_to_have_attribute("style", before or "")


def test_a_standing_order_answers_for_the_absent(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    part(page, "tab-orders").click()
    part(page, "order-demolition").select_option("hold")
    expect(part(page, "order-demolition")).to_have_value("hold")
    page.reload()
    part(page, "tab-orders").click()
    expect(part(page, "order-demolition")).to_have_value("hold")


def test_the_server_may_die_and_come_back(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    end_phase(page)
    wait_asked(page, "Move your units")
    served.process.kill()
    served.process.wait()
    expect(page.get_by_text("No connection")).to_be_visible()
    served.start()
    expect(page.get_by_text("No connection")).to_have_count(0, timeout=15_000)
    end_phase(page)
    wait_asked(page, "Attack enemies")
