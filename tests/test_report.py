"""The report: one file that shows everything, breaks nothing and loads nothing."""

import base64
import hashlib
import io
import json
import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.compatibility import Compatibility, from_lists
from tessella.confidence import judge
from tessella.errors import InputError, OutputError
from tessella.imaging.cut import cut, cut_panels
from tessella.pictures import demo_picture
from tessella.puzzle import Puzzle
from tessella.recall import Estimate
from tessella.report import fragments, write_report
from tessella.report.doubts import UNCHECKED, in_words, most_doubtful, rival
from tessella.report.embed import data, exact, photograph, text
from tessella.report.page import page
from tessella.result import Result
from tessella.watch import Generation

EVIL = "<img src=x onerror=alert(1)>'\"&.png"
VOID = {"meta", "img", "input", "br"}
FILES = {"assembled.png", "placement.csv", "arrangement.json", "run.json"}


@dataclass
class Page(HTMLParser):
    """What a browser would see: every element with its attributes, and the text."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    words: str = ""
    open: list[str] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, words):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.words += words

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def seen(html: str) -> Page:
    parser = Page()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def knowing(truth, *, wrong: float = 0.4) -> Compatibility:
    """Return compatibilities of 0.9 for true joins and `wrong` for one other partner an edge."""
    partner = truth.partners()
    other = (np.arange(len(partner)) + 5) % len(partner)
    other[(other == partner) | (partner[other] == np.arange(len(partner)))] = -1
    listed = np.stack([partner, other], 1).astype(np.int32)
    listed[partner < 0] = -1
    scores = np.broadcast_to(np.float32([0.9, wrong]), listed.shape).copy()
    return from_lists(truth.pieces, False, True, listed, scores)


def result_of(arrangement: Arrangement, compatibility: Compatibility, **more: object) -> Result:
    fitness = compatibility.fitness(arrangement)
    settings = {"measure": "mgc", "solver": {"name": "paikin_tal", "adjust": "ratio"}, "seed": 7}
    joins = judge(arrangement, compatibility, None)
    given = {"runs": (fitness,), "settings": settings, "seconds": {"measuring": 1.25}} | more
    return Result(arrangement, fitness, compatibility, joins, **given)


@pytest.fixture(scope="module")
def solved():
    puzzle, truth = cut(demo_picture()[56:168, 56:224], 28, turned=True, seed=2)
    names = tuple(f"tile {k:02d}.jpg" for k in range(len(puzzle)))
    return replace(puzzle, names=names), truth, knowing(truth)


@pytest.fixture(scope="module")
def html(solved):
    puzzle, truth, compatibility = solved
    return page(puzzle, result_of(truth.arrangement, compatibility), "Panel 12")


def swapped(arrangement: Arrangement) -> Arrangement:
    """Return the arrangement with two pieces exchanged that have all their neighbours."""
    sheet = arrangement.sheets[0]
    piece = sheet.piece.copy()
    piece[1, 1], piece[2, 4] = piece[2, 4], piece[1, 1]
    return Arrangement.single(piece, sheet.turns)


def test_the_facts_stand_under_the_title(html):
    words = seen(html).words
    for fact in ("Panel 12", "24 of 28 × 28 px", "mgc", "paikin_tal", "7", "38 joins", "1.2 s"):
        assert fact in words


def test_the_model_of_a_learned_measure_is_told(solved):
    puzzle, truth, compatibility = solved
    settings = {"measure": {"name": "dlcm", "model": "photo-28"}}
    told = page(puzzle, result_of(truth.arrangement, compatibility, settings=settings), "x")
    assert "dlcm (model photo-28)" in seen(told).words


def test_the_recall_of_a_shortlist_is_told_as_an_estimate_with_its_number(solved):
    puzzle, truth, compatibility = solved
    made = result_of(truth.arrangement, compatibility, recall=Estimate(64, 0.9912))
    told = "recall of the shortlist99.1 % with 64 candidates proposed for every edge (estimated"
    assert told in seen(page(puzzle, made, "x")).words
    assert made.to_json()["recall"]["k"] == 64
    assert "recall" not in result_of(truth.arrangement, compatibility).to_json()


def test_turns_are_explained(html):
    assert "Turns are quarter turns counter-clockwise" in seen(html).words


def test_nothing_is_loaded_from_elsewhere(html):
    parser = seen(html)
    for attrs in parser.all("img"):
        assert (attrs.get("src") or "data:").startswith("data:image/")
    for attrs in parser.all("a"):
        assert attrs["href"].startswith("#") or attrs["href"] in FILES
    assert not parser.all("link")
    assert not parser.all("iframe")
    assert all("src" not in attrs for attrs in parser.all("script"))
    assert "http://" not in html
    assert "https://" not in html
    assert "url(" not in html


def test_the_page_may_run_its_own_script_and_no_other(html):
    (policy,) = [m["content"] for m in seen(html).all("meta") if m.get("http-equiv")]
    script = re.findall(r"<script>(.*?)</script>", html, re.S)
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert len(script) == 1
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_every_link_inside_the_page_leads_somewhere(html):
    parser = seen(html)
    known = {attrs["id"] for _, attrs in parser.tags if "id" in attrs}
    wanted = {a["href"][1:] for a in parser.all("a") if a["href"].startswith("#")}
    assert wanted <= known
    assert any(name.startswith("cell-") for name in wanted)


def test_every_picture_has_a_description_and_every_field_a_label(html):
    parser = seen(html)
    assert all("alt" in attrs for attrs in parser.all("img"))
    labelled = html.count("<label") + sum("aria-label" in a for a in parser.all("input"))
    assert labelled == len(parser.all("input"))


def test_the_map_can_be_reached_by_keyboard(html):
    (attrs,) = [a for a in seen(html).all("div") if a.get("class") == "map"]
    assert attrs["tabindex"] == "0"
    assert "arrow keys" in attrs["aria-label"]


def test_the_map_knows_the_file_and_the_turns_of_every_cell(html, solved):
    puzzle, truth, _ = solved
    block = re.search(r"<script type='application/json' id='data'>(.*?)</script>", html, re.S)
    told = json.loads(block[1])
    (sheet,) = told["sheets"]
    true = truth.arrangement.sheets[0]
    assert told["names"] == list(puzzle.names)
    assert sheet["piece"] == true.piece.ravel().tolist()
    assert [int(t) for t in sheet["turns"]] == true.turns.ravel().tolist()
    assert sheet["fit"] == [90] * 24
    assert (len(sheet["right"]), len(sheet["down"])) == (4 * 5, 3 * 6)


def test_the_table_names_every_file_in_its_cell(html, solved):
    puzzle, truth, _ = solved
    cells = dict(re.findall(r"<td id='(cell-[\d-]+)'>([^<]*)", html))
    for (row, col), piece in np.ndenumerate(truth.arrangement.sheets[0].piece):
        assert cells[f"cell-1-{row + 1}-{col + 1}"].strip() == puzzle.names[piece]


def test_file_names_titles_and_settings_cannot_break_out(solved):
    puzzle, truth, compatibility = solved
    evil = replace(puzzle, names=tuple(EVIL for _ in puzzle.names))
    result = result_of(truth.arrangement, compatibility, settings={"measure": EVIL, EVIL: EVIL})
    html = page(evil, result, f"</title><script>{EVIL}")
    parser = seen(html)
    assert len(parser.all("script")) == 2
    assert all((a.get("src") or "data:").startswith("data:") for a in parser.all("img"))
    assert not [a for _, a in parser.tags if any(key.startswith("on") for key in a)]
    assert EVIL in parser.words


def test_data_cannot_end_its_script_element():
    value = {"name": "</script><!--<script>\u2028"}
    assert "<" not in data(value)
    assert json.loads(data(value)) == value


def test_names_that_are_not_unicode_can_be_written(solved, tmp_path):
    puzzle, truth, compatibility = solved
    odd = replace(puzzle, names=("caf\udce9.png", *puzzle.names[1:]))
    write_report(tmp_path / "r.html", odd, result_of(truth.arrangement, compatibility))
    assert "caf\\udce9.png" in seen((tmp_path / "r.html").read_text(encoding="utf-8")).words


def test_the_most_doubtful_joins_come_first(solved, odds_from):
    _, truth, compatibility = solved
    joins = judge(swapped(truth.arrangement), compatibility, odds_from(compatibility))
    first = most_doubtful(joins, 8)
    assert [j.confidence for j in first] == sorted(j.confidence for j in joins)[:8]
    ends = [{(j.row, j.col), (j.row + j.down, j.col + 1 - j.down)} for j in first]
    assert all(cells & {(1, 1), (2, 4)} for cells in ends)


def test_a_wrong_join_names_the_partner_that_would_fit(solved, odds_from):
    _, truth, compatibility = solved
    partner = truth.partners()
    joins = judge(swapped(truth.arrangement), compatibility, odds_from(compatibility))
    for join in most_doubtful(joins, 8):
        other = rival(compatibility, join)
        owner = join.edges[1] if other.second else join.edges[0]
        assert other.edge == partner[owner]
        assert other.compatibility > join.compatibility


@pytest.mark.parametrize(
    ("confidence", "said"),
    [
        (0.0, "10 in 10 were"),
        (0.4, "6 in 10 were"),
        (0.6, "4 in 10 were"),
        (0.9, "1 in 10 was"),
        (0.91, "9 in 100 were"),
        (0.99, "1 in 100 was"),
        (0.999, "hardly any was"),
    ],
)
def test_a_confidence_is_said_in_words(confidence, said):
    assert in_words(confidence) == f"of joins marked so, {said} wrong on validation pictures"


@pytest.mark.parametrize("case", ["fitted", "guessed", "nobody says", "strips", "not looked at"])
def test_what_confidence_means_is_said_only_where_it_was_checked(solved, odds_from, case):
    puzzle, truth, compatibility = solved
    odds, arrangement = odds_from(compatibility), truth.arrangement
    if case == "guessed":
        odds = replace(odds, fitted=False)
    if case == "strips":
        arrangement = Arrangement.single(np.arange(len(puzzle), dtype=np.int32)[None])
    odds = None if case == "nobody says" else odds
    result = result_of(arrangement, compatibility, odds=odds)
    if case == "not looked at":
        result = replace(result, settings={"measure": {"name": "a plug-in"}})
    told = seen(page(puzzle, result, "x")).words
    assert ("wrong on validation pictures" in told) == (case == "fitted")
    assert (UNCHECKED in told) == (case != "fitted")


def test_where_the_search_goes_by_worth_the_report_says_so(solved, html):
    puzzle, truth, compatibility = solved
    fitness = compatibility.fitness(truth.arrangement)
    more = {"runs": (fitness, fitness + 1), "worth": 12.5, "worths": (12.5, 11.0)}
    told = seen(page(puzzle, result_of(truth.arrangement, compatibility, **more), "x")).words
    assert "12.50; the search goes by it" in told
    assert "2; the one of most worth is shown" in told
    assert "worth of run 211.0000" in told
    assert "worth" not in seen(html).words


def test_ten_joins_are_shown_apart_and_joined(html):
    shown = re.findall(r"<li class='doubt'>(.*?)</li>", html, re.S)
    assert len(shown) == 10
    for entry in shown:
        apart, joined = re.findall(r"src='data:image/png;base64,([^']+)'", entry)
        one, two = (Image.open(io.BytesIO(base64.b64decode(x))).size for x in (apart, joined))
        assert sum(one) - sum(two) == 3
        assert sorted(two) == [28, 56]


def test_the_joined_picture_is_the_place_in_the_answer(solved):
    puzzle, truth, compatibility = solved
    html = page(puzzle, result_of(truth.arrangement, compatibility), "x")
    entry = re.search(r"<li class='doubt'>(.*?)</li>", html, re.S)[1]
    joined = re.findall(r"src='data:image/png;base64,([^']+)'", entry)[1]
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(joined))))
    sheet, row, col = map(int, re.search(r"data-cell='(\d+),(\d+),(\d+)'", entry).groups())
    top, left = 56 + 28 * row, 56 + 28 * col
    there = demo_picture()[top : top + picture.shape[0], left : left + picture.shape[1]]
    assert sheet == 0
    assert np.array_equal(picture, there)


def test_missing_pieces_and_pieces_without_a_place_are_told(solved):
    puzzle, truth, compatibility = solved
    piece = truth.arrangement.sheets[0].piece.copy()
    gone = int(piece[1, 2])
    piece[1, 2] = EMPTY
    arrangement = Arrangement.single(piece, truth.arrangement.sheets[0].turns)
    words = seen(page(puzzle, result_of(arrangement, compatibility), "x")).words
    assert "1 cell holds no piece" in words
    assert f"Pieces that are left over, on no sheet: {puzzle.names[gone]}." in words


def test_work_that_was_stopped_says_so(solved, html):
    puzzle, truth, compatibility = solved
    result = result_of(truth.arrangement, compatibility, stopped=True)
    assert "stopped early" in seen(page(puzzle, result, "x")).words
    assert "stopped early" not in seen(html).words


def test_every_sheet_has_its_section(solved):
    puzzle, truth, compatibility = solved
    whole = truth.arrangement.sheets[0]
    halves = tuple(Sheet(whole.piece[r], whole.turns[r]) for r in (slice(0, 2), slice(2, 4)))
    html = page(puzzle, result_of(Arrangement(halves), compatibility), "x")
    ids = {attrs.get("id") for _, attrs in seen(html).tags}
    assert {"sheet-1", "sheet-2", "map-0", "map-1"} <= ids
    assert "assembled-002.png" in html


@pytest.fixture(scope="module")
def sorted_out():
    """Two panels with holes, a fragment and two strangers: what --panels gives."""
    picture = demo_picture()
    images = [picture[56:168, 56:224], picture[336:448, 56:168]]
    puzzle, truth = cut_panels(
        images, 28, missing=0.1, foreign=2, foreign_from=[picture[504:, 300:]], turned=True
    )
    puzzle = replace(puzzle, names=tuple(f"tile {k:02d}.jpg" for k in range(len(puzzle))))
    one, two = truth.arrangement.sheets
    corner = (slice(2, 4), slice(2, 4))  # of the second panel, lies apart
    piece, turns = two.piece.copy(), two.turns.copy()
    piece[corner] = EMPTY
    apart = Sheet(two.piece[corner], two.turns[corner])
    sheets = (one, Sheet(piece, turns), apart)
    return puzzle, truth, Arrangement(sheets), knowing(truth)


def test_fragments_and_left_over_pieces_are_shown_apart_with_their_names(sorted_out):
    puzzle, truth, arrangement, compatibility = sorted_out
    html = page(puzzle, result_of(arrangement, compatibility), "x")
    parser = seen(html)
    ids = {attrs.get("id") for _, attrs in parser.tags}
    assert {"sheet-1", "sheet-2", "sheet-3", "fragments", "left-over"} <= ids
    assert {"map-0", "map-1", "map-2", "readout-2"} <= ids
    fragment = re.search(r"<section id='fragments'>.*?</section>", html)[0]
    held = arrangement.sheets[2].piece
    named = set(re.findall(r"tile \d\d.jpg", fragment))
    assert named == {puzzle.names[i] for i in held[held != EMPTY]}
    loose = re.search(r"<section id='left-over'>.*?</section>", html)[0]
    assert set(re.findall(r"tile \d\d.jpg", loose)) == {puzzle.names[i] for i in truth.foreign()}
    assert "1 fragment; 2 pieces left over" in parser.words
    assert "fragments.png" in html
    assert "assembled-003.png" not in html


def test_every_link_inside_a_page_of_several_sheets_leads_somewhere(sorted_out):
    puzzle, _, arrangement, compatibility = sorted_out
    parser = seen(page(puzzle, result_of(arrangement, compatibility), "x"))
    ids = [attrs["id"] for _, attrs in parser.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    inner = [a["href"][1:] for a in parser.all("a") if a["href"].startswith("#")]
    assert inner
    assert set(inner) <= set(ids)


def test_an_answer_on_one_sheet_has_no_fragments_and_nothing_left_over(html):
    assert "Fragments" not in seen(html).words
    assert "left over:" not in seen(html).words
    assert "id='left-over'" not in html


def test_more_fragments_and_pieces_than_fit_are_left_to_the_list(sorted_out, monkeypatch):
    monkeypatch.setattr(fragments, "SHOWN", 1)
    puzzle, _, arrangement, compatibility = sorted_out
    html = page(puzzle, result_of(arrangement, compatibility), "x")
    loose = re.search(r"<section id='left-over'>.*?</section>", html)[0]
    assert "The first 1 are shown" in loose
    assert loose.count("<li>") == 1


def test_a_solver_without_generations_has_no_evolution(html):
    assert "Evolution" not in seen(html).words


def test_generations_are_shown_with_heatmaps_a_slider_and_a_history(solved):
    puzzle, truth, compatibility = solved
    steps = [swapped(truth.arrangement), truth.arrangement]
    evolution = tuple(Generation(0, k, compatibility.fitness(a), 0, a) for k, a in enumerate(steps))
    history = (tuple(g.best for g in evolution),)
    result = result_of(truth.arrangement, compatibility, evolution=evolution, history=history)
    parser = seen(page(puzzle, result, "x"))
    for words in ("scrambled", "generation 1", "reconstructed", "after every generation"):
        assert words in parser.words
    (slider,) = [a for a in parser.all("input") if a["type"] == "range"]
    assert slider["max"] == "2"
    assert sum(a.get("class") == "heat" for a in parser.all("img")) == 1 + 3 + 1


def test_one_piece_alone_has_a_report():
    puzzle = Puzzle(np.zeros((1, 6, 6, 3), np.uint8))
    nothing = from_lists(1, True, True, np.full((4, 1), -1, np.int32), np.zeros((4, 1), np.float32))
    words = seen(page(puzzle, result_of(Arrangement.single([[0]]), nothing), "x")).words
    assert "no join to doubt" in words


def test_very_long_pieces_are_shown_by_the_middle_of_their_seam():
    picture = np.random.default_rng(0).integers(0, 256, (200, 24, 3), dtype=np.uint8)
    puzzle, truth = cut(picture, (200, 8))
    partner = truth.partners()[:, None].copy()
    compatibility = from_lists(3, True, False, partner, np.full(partner.shape, 0.9, np.float32))
    html = page(puzzle, result_of(truth.arrangement, compatibility), "x")
    entry = re.search(r"<li class='doubt'>(.*?)</li>", html, re.S)[1]
    joined = re.findall(r"src='data:image/png;base64,([^']+)'", entry)[1]
    assert Image.open(io.BytesIO(base64.b64decode(joined))).size == (16, 32)


def large(rows: int, cols: int, piece: int) -> tuple[Puzzle, Result]:
    picture = Image.fromarray(demo_picture()).resize((cols * piece, rows * piece))
    puzzle, truth = cut(np.asarray(picture), piece, turned=True)
    names = tuple(f"scan_2024_{k:05d}.jpg" for k in range(len(puzzle)))
    return replace(puzzle, names=names), result_of(truth.arrangement, knowing(truth))


def test_a_report_of_805_pieces_stays_below_three_megabytes(tmp_path):
    puzzle, result = large(23, 35, 28)
    snapshot = Generation(0, 0, 1.0, 0, swapped(result.arrangement))
    result = replace(result, evolution=(snapshot,) * 3)
    write_report(tmp_path / "r.html", puzzle, result)
    assert (tmp_path / "r.html").stat().st_size < 3_000_000


def test_a_large_table_is_left_to_the_list(tmp_path):
    puzzle, result = large(40, 40, 8)
    html = page(puzzle, result, "x")
    assert "A table of 40 × 40 file names would be too large" in seen(html).words
    assert "<table class='names'>" not in html
    assert '"scan_2024_01599.jpg"' in html


def test_photographs_are_jpeg_and_flat_pictures_stay_exact():
    busy = demo_picture()[:200, :200]
    assert photograph(busy).startswith("data:image/jpeg")
    assert photograph(np.zeros((50, 50, 3), np.uint8)).startswith("data:image/png")
    again = Image.open(io.BytesIO(base64.b64decode(exact(busy).split(",")[1])))
    assert np.array_equal(np.asarray(again), busy)


def test_quotes_are_escaped_for_attributes():
    assert text("'\"<>&") == "&#x27;&quot;&lt;&gt;&amp;"


def test_an_arrangement_of_another_puzzle_is_refused(solved, tmp_path):
    puzzle, truth, compatibility = solved
    other = Puzzle(puzzle.pieces[:5])
    with pytest.raises(InputError, match="but the puzzle has 5 pieces"):
        write_report(tmp_path / "r.html", other, result_of(truth.arrangement, compatibility))
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_refused(solved, tmp_path):
    puzzle, truth, compatibility = solved
    with pytest.raises(OutputError, match="Cannot write"):
        write_report(
            tmp_path / "no" / "r.html", puzzle, result_of(truth.arrangement, compatibility)
        )


def test_several_sheets_are_listed_first_the_largest_on_top():
    from tessella.arrangement import Arrangement, Sheet
    from tessella.confidence import Join
    from tessella.puzzle import Puzzle
    from tessella.report.overview import lines, overview_section

    arrangement = Arrangement(
        (
            Sheet(np.arange(4).reshape(1, 4), np.zeros((1, 4))),
            Sheet(np.arange(4, 10).reshape(2, 3), np.zeros((2, 3))),
        )
    )
    joins = [Join(0, 0, 0, False, (0, 6), 1.0, 0.5), Join(1, 0, 0, False, (16, 22), 1.0, 0.95)]
    told = lines(arrangement, joins, [0, 1])
    assert [(line.number, line.pieces, line.doubtful) for line in told] == [(1, 6, 0), (0, 4, 1)]
    assert [round(line.wrong, 2) for line in told] == [0.05, 0.5]
    puzzle = Puzzle(np.zeros((10, 8, 8, 3), np.uint8))
    shown = overview_section(puzzle, arrangement, joins, [0, 1])
    assert shown.index("#sheet-2") < shown.index("#sheet-1")
    assert overview_section(puzzle, arrangement, joins, [0]) == ""


def test_joins_and_left_over_pieces_show_what_is_broken_off():
    from tessella.imaging.unknown import checker
    from tessella.report.doubts import _pair
    from tessella.report.fragments import left_over_section

    pieces = np.full((2, 8, 8, 3), 40, np.uint8)
    known = np.ones((2, 8, 8), np.bool_)
    known[1, :, 4:] = False
    puzzle = Puzzle(pieces, known=known)
    joined = _pair(puzzle, Arrangement.single(np.array([[0, 1]])), (0, 0, 0), (0, 0, 1), False, 0)
    assert (joined[:, :12] == 40).all()
    assert np.array_equal(joined[:, 12:], checker(8, 8)[:, 4:])
    whole, broken = (left_over_section(p, [1]) for p in (Puzzle(pieces), puzzle))
    assert whole != broken
