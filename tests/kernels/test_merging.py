"""Fragments merge as a slow search over dictionaries says they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels import merging
from tessella.kernels.assembly import cells_of
from tessella.kernels.board import Box
from tessella.kernels.merging import DISCOUNT, DISCOUNTED, MOST, UNLISTED, Proposals

STEPS = ((0, 1), (-1, 0), (0, -1), (1, 0))
KINDS = [(True, True), (False, True), (False, False)]


def turn(cell, times):
    row, col, turns = cell
    for _ in range(times % 4):
        row, col = -col, row
    return row, col, (turns + times) % 4


def brought(group, f, cell, side):
    """Return a group, {piece: (row, col, turns)}, so that edge f lies in `cell`, facing `side`."""
    times = side - f - group[f // 4][2]
    spun = {p: turn(c, times) for p, c in group.items()}
    down, across = cell[0] - spun[f // 4][0], cell[1] - spun[f // 4][1]
    return {p: (r + down, c + across, t) for p, (r, c, t) in spun.items()}


def evidence_plain(told, e, f):
    fit = float(told.of(np.array([[e, f]], np.int32))[0])
    if fit == 0:
        return UNLISTED
    said = []
    for mine, other in ((e, f), (f, e)):
        row = slice(told.start[mine], told.start[mine + 1])
        rivals = [float(s) for p, s in zip(told.partner[row], told.score[row], strict=True)]
        last = rivals[min(len(rivals), LAST) - 1]
        best = rivals[0]
        if told.partner[row][0] == other:
            best = rivals[min(1, len(rivals) - 1)]
        said.append(min(max((fit - last) / max(best - last, 1e-3), UNLISTED), MOST))
    return sum(said) / 2


LAST = 4


def faced(group, p, side):
    """Return the edge of piece p that faces `side`, and the cell beyond it."""
    row, col, turns = group[p]
    return 4 * p + (side - turns) % 4, (row + STEPS[side][0], col + STEPS[side][1])


def judge_plain(told, box, mine, other, e, f):
    """Return what all seams say when f's group lies against e, or None if it has no room."""
    side = (e + mine[e // 4][2]) % 4
    moved = brought(other, f, faced(mine, e // 4, side)[1], side + 2)
    held = {(r, c): p for p, (r, c, _) in mine.items()}
    cells = set(held) | {(r, c) for r, c, _ in moved.values()}
    height, width = np.ptp(list(cells), axis=0) + 1
    boxes = [(box.rows, box.cols)] + [(box.cols, box.rows)] * box.either
    if len(cells) < len(mine) + len(moved) or not any(height <= r and width <= c for r, c in boxes):
        return None
    said = []
    for p in moved:
        for side in range(4):
            here, beyond = faced(moved, p, side)
            if beyond in held:
                there, _ = faced(mine, held[beyond], (side + 2) % 4)
                said.append(evidence_plain(told, here, there))
    return sum(said) - 1 - DISCOUNT * min(len(said) - 1, DISCOUNTED)


def groups_of(found):
    groups = []
    for home in np.flatnonzero(found.size):
        members, cell = cells_of(found, home)
        groups.append({p: tuple(c) for p, c in zip(members.tolist(), cell.tolist(), strict=True)})
    return groups


def is_free_plain(group, e):
    _, beyond = faced(group, e // 4, (e + group[e // 4][2]) % 4)
    return beyond not in {(r, c) for r, c, _ in group.values()}


def sure_plain(told, box, groups, depth):
    """Return {placement: how sure}, a placement being the places of two groups' pieces."""
    home = {p: group for group in groups for p in group}
    worth, edges = {}, {}
    for e in range(4 * told.pieces):
        tried = 0
        for f in told.partner[told.start[e] : told.start[e + 1]].tolist():
            mine, other = home[e // 4], home[f // 4]
            fits = mine is not other and is_free_plain(mine, e) and is_free_plain(other, f)
            if not fits or tried == depth:
                continue
            tried += 1
            side = (e + mine[e // 4][2]) % 4
            both = mine | brought(other, f, faced(mine, e // 4, side)[1], side + 2)
            first = min(both)
            name = frozenset(brought(both, 4 * first, (0, 0), 0).items())
            worth[name] = judge_plain(told, box, mine, other, e, f)
            edges.setdefault(name, set()).update((e, f))
    sure = {}
    for name, value in worth.items():
        if value is None or value <= 0:
            continue
        rivals = [
            w for n, w in worth.items() if n != name and w is not None and edges[n] & edges[name]
        ]
        sure[name] = value - max([0.0, *rivals])
    return sure


def a_round(told, levels, fragments, box, depth):
    """Return proposals, and how sure each is, as the kernels see it."""
    size = 4 * told.pieces, depth
    proposals = Proposals(
        np.full(size, -1, np.int32), np.full(size, np.nan), np.full(size, -1, np.int64)
    )
    merging.propose(told.tables, fragments, proposals, 0)
    merging.name_all(fragments, proposals)
    order = np.argsort(proposals.key, axis=None, kind="stable")
    sure = np.empty(proposals.key.size)
    merging.rate(told.tables, levels, fragments, box, proposals, order, sure)
    return proposals, sure


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(
    shape=st.sampled_from([(1, 5), (3, 3), (4, 3)]),
    depth=st.integers(1, 3),
    keep=st.integers(1, 6),
    levels=st.sampled_from([3, 10**6]),
    seed=st.integers(0, 10**6),
)
def test_every_round_is_as_sure_as_the_plain_twin(case, kind, shape, depth, keep, levels, seed):
    told = case(shape, upright=kind[0], square=kind[1], keep=keep, levels=levels, seed=seed).told
    box = Box(*shape, int(not kind[0] and kind[1]))
    fragments = merging.single_fragments(told.pieces)
    compared = merging.levels_of(told.tables, LAST)
    for number in range(1, 4):
        proposals, sure = a_round(told, compared, fragments, box, depth)
        before = groups_of(fragments.assemblies)
        wanted = sorted(sure_plain(told, box, before, depth).values())
        assert sorted(sure[np.isfinite(sure)]) == pytest.approx(wanted, abs=1e-5)
        chosen = np.flatnonzero(sure >= -5)
        chosen = chosen[np.argsort(-sure[chosen], kind="stable")]
        made = merging.merge(
            told.tables, compared, fragments, box, proposals, chosen, sure, 0.0, number
        )
        after = groups_of(fragments.assemblies)
        assert len(after) == len(before) - made
        check_rigid(before, after, box)


def check_rigid(before, after, box):
    """Each piece lies once, in a cell of its own, in the box, and beside those it lay with."""
    assert sorted(p for g in after for p in g) == sorted(p for g in before for p in g)
    for group in after:
        cells = {(r, c) for r, c, _ in group.values()}
        assert len(cells) == len(group)
        height, width = np.ptp(list(cells), axis=0) + 1
        boxes = [(box.rows, box.cols)] + [(box.cols, box.rows)] * box.either
        assert any(height <= r and width <= c for r, c in boxes)
    for old in before:
        first = min(old)
        new = next(g for g in after if first in g)
        kept = {p: new[p] for p in old}
        assert brought(kept, 4 * first, (0, 0), 0) == brought(old, 4 * first, (0, 0), 0)


def test_only_what_changed_is_proposed_anew(case):
    told = case((4, 4), keep=6, seed=5).told
    box, compared = Box(4, 4, 0), merging.levels_of(told.tables, LAST)
    fragments = merging.single_fragments(told.pieces)
    proposals, sure = a_round(told, compared, fragments, box, 2)
    chosen = np.array([sure.argmax()])
    merging.merge(told.tables, compared, fragments, box, proposals, chosen, sure, 0.0, 1)
    merging.propose(told.tables, fragments, proposals, 1)
    changed = np.flatnonzero(np.isnan(proposals.worth).any(axis=1))
    assert 0 < len(changed) < 4 * told.pieces
    merging.name_all(fragments, proposals)
    order = np.argsort(proposals.key, axis=None, kind="stable")
    merging.rate(told.tables, compared, fragments, box, proposals, order, sure)
    afresh, wanted = a_round(told, compared, fragments, box, 2)
    np.testing.assert_array_equal(proposals.partner, afresh.partner)
    np.testing.assert_allclose(sure, wanted)
