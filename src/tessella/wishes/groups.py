"""What wishes amount to: pieces that lie rigidly to each other, sheets that are the same or not.

Pieces that are joined or fixed become groups, whose members lie in known poses to each other. What
cannot be so is found on the way: it is a clash, and `tessella.wishes.contradictions` says which
wishes are to blame.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tessella.edges import admissible
from tessella.puzzle import Shape
from tessella.wishes.checking import Exact
from tessella.wishes.facts import Facts
from tessella.wishes.poses import Pose, Ties, joint, turned
from tessella.wishes.wish import Code, Wish, Wishes, pieces_of


class Clash(Exception):
    """Wishes that cannot all be met, and why if it is one alone."""


@dataclass(frozen=True)
class Group:
    """Pieces in known poses to each other.

    Attributes
    ----------
    pieces, poses : the members, and how they lie in the group
    quarters : the turns that the group as a whole may have
    sheet : of the fixed members; poses are then those on the sheet, and the group is not turned
    """

    pieces: tuple[int, ...]
    poses: tuple[Pose, ...]
    quarters: tuple[int, ...]
    sheet: int | None = None

    def at(self, turns: int, row: int = 0, col: int = 0) -> Iterator[tuple[int, Pose]]:
        """Yield every member and how it lies when the group lies so."""
        whole = Pose(turns, row, col)
        for piece, pose in zip(self.pieces, self.poses, strict=True):
            yield piece, whole.of(pose)


@dataclass(frozen=True, eq=False)
class Known:
    """What wishes amount to.

    Attributes
    ----------
    wishes, facts : from which it follows
    groups : every piece that a wish ties to another or to a cell is in one, alone if need be
    sheets : pieces, ``("sheet", number)`` and ``("panel", name)``, tied where they are one sheet
    shapes : that the sheets may have
    frames : the shapes of sheets that are called by a number, where these are known one by one
    turns : of every piece of which they are known
    """

    wishes: Wishes
    facts: Facts
    groups: tuple[Group, ...]
    sheets: Ties
    shapes: tuple[Shape | None, ...]
    frames: dict[int, Shape]
    turns: dict[int, int]

    @property
    def exact(self) -> Exact:
        """On which sheets, by their numbers, cells count as they are."""
        return self.facts.shape is not None or frozenset(self.frames)

    def joins(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of edges that lie against each other within a group."""
        for group in self.groups:
            there = {(p.row, p.col): (i, p.turns) for i, p in group.at(0)}
            for (row, col), (piece, turns) in there.items():
                for side, (down, across) in ((0, (0, 1)), (3, (1, 0))):
                    beyond = there.get((row + down, col + across))
                    if beyond is not None:
                        yield (
                            4 * piece + (side - turns) % 4,
                            4 * beyond[0] + (side + 2 - beyond[1]) % 4,
                        )


def gather(wishes: Wishes, facts: Facts) -> Known:
    """Return what `wishes` amount to; raise `Clash` where they cannot all be met."""
    for wish in wishes.each():
        _check_alone(wish, facts)
    poses = Ties()
    for e, f in wishes.joined:
        if not poses.tie(e // 4, f // 4, joint(e, f)):
            raise Clash
    for fixed in wishes.fixed:
        if not poses.tie(
            ("sheet", fixed.sheet), fixed.piece, Pose(fixed.turns, fixed.row, fixed.col)
        ):
            raise Clash
    for e, f in wishes.forbidden:
        (one, at), (other, beyond) = poses.seen(e // 4), poses.seen(f // 4)
        if one == other and at.of(joint(e, f)) == beyond:
            raise Clash
    sheets = _sheets(wishes, facts)
    codes = _codes(wishes)
    groups = tuple(_groups(wishes, facts, poses, codes, _called(wishes, sheets)))
    turns = {
        piece: pose.turns
        for group in groups
        if len(group.quarters) == 1
        for piece, pose in group.at(group.quarters[0])
    }
    shapes = _shapes(wishes, facts, groups, sheets, codes)
    frames = _frames(wishes, facts, groups, sheets, codes)
    return Known(wishes, facts, groups, sheets, shapes, frames, turns)


def _check_alone(wish: Wish, facts: Facts) -> None:
    """Raise if a wish cannot be met by itself."""
    kind, value = wish.kind, wish.value
    if kind == "joined":
        e, f = value
        if not admissible(e, f, upright=facts.upright, square=facts.square):
            raise Clash(
                "upright pieces join only opposite sides"
                if facts.upright
                else "sides of different lengths cannot join"
            )
        if facts.flat and e % 2:
            raise Clash("strips lie side by side")
    if kind in ("fixed", "upright"):
        turns = value.turns if kind == "fixed" else value[1]
        if turns not in facts.quarters:
            allowed = "no piece is turned" if facts.upright else "pieces are turned by 0 or 2"
            raise Clash(f"in this puzzle {allowed}")
    if kind == "fixed" and facts.sheets is not None and value.sheet >= facts.sheets:
        count = facts.sheets
        raise Clash(f"there {'is 1 sheet' if count == 1 else f'are {count} sheets'}")


def _codes(wishes: Wishes) -> dict[int, Code]:
    """Return what is written on every piece; two codes of a piece add up."""
    codes: dict[int, Code] = {}
    for code in wishes.codes:
        old = codes.get(code.piece, Code(code.piece, panel=code.panel))
        for mine, other in ((old.row, code.row), (old.col, code.col)):
            if mine is not None and other is not None and mine != other:
                raise Clash
        codes[code.piece] = Code(
            code.piece,
            code.row if old.row is None else old.row,
            code.col if old.col is None else old.col,
            code.panel if old.panel is None else old.panel,
        )
    return codes


def _sheets(wishes: Wishes, facts: Facts) -> Ties:
    """Return which pieces, numbers and names are one sheet; raise where they cannot be."""
    ties = Ties()
    for e, f in wishes.joined:
        ties.tie(e // 4, f // 4)
    for fixed in wishes.fixed:
        ties.tie(("sheet", fixed.sheet), fixed.piece)
    for code in wishes.codes:
        if code.panel is not None:
            ties.tie(("panel", code.panel), code.piece)
    for pieces in wishes.together:
        for other in pieces[1:]:
            ties.tie(pieces[0], other)
    for wish, number in wishes.numbered():  # A panel that is called by a number is that sheet.
        ties.tie(("sheet", number), pieces_of(wish)[0])
    for different in wishes.different():
        if facts.sheets is not None and len(different) > facts.sheets:
            raise Clash(f"there {'is 1 sheet' if facts.sheets == 1 else 'are too few sheets'}")
        if len({ties.seen(each)[0] for each in different}) < len(different):
            raise Clash
    return ties


def _called(wishes: Wishes, sheets: Ties) -> dict[int, int]:
    """Return the numbers of the sheets of pieces of which they are known."""
    numbers = {sheets.seen(("sheet", number))[0]: number for _, number in wishes.numbered()}
    named = {piece for wish in wishes.each() for piece in pieces_of(wish)}
    first = {piece: sheets.seen(piece)[0] for piece in named}
    return {piece: numbers[each] for piece, each in first.items() if each in numbers}


def _groups(
    wishes: Wishes, facts: Facts, poses: Ties, codes: dict[int, Code], called: dict[int, int]
) -> Iterator[Group]:
    """Yield the groups; raise where one cannot be."""
    known = dict(wishes.upright)
    if any(known[piece] != turns for piece, turns in wishes.upright):
        raise Clash
    frames = {poses.seen(("sheet", f.sheet)): f.sheet for f in wishes.fixed}
    if len({first for first, _ in frames}) < len({f.sheet for f in wishes.fixed}):
        raise Clash  # One group is fixed on two sheets.
    framed = {first: (pose, number) for (first, pose), number in frames.items()}
    named = {e // 4 for pair in wishes.joined for e in pair} | {f.piece for f in wishes.fixed}
    members = defaultdict(list)
    for piece in sorted(named | set(known) | set(codes)):
        first, pose = poses.seen(piece)
        members[first].append((piece, pose))
    for first, within in members.items():
        frame, number = framed.get(first, (None, None))
        if frame is not None:
            back = frame.inverse()
            within = [(piece, back.of(pose)) for piece, pose in within]
        if len({(pose.row, pose.col) for _, pose in within}) < len(within):
            raise Clash  # Two pieces would lie in one cell.
        group = Group(
            tuple(piece for piece, _ in within), tuple(pose for _, pose in within), (0,), number
        )
        may = (0,) if number is not None else (0, 1, 2, 3)
        shapes = facts.shapes_of(called.get(group.pieces[0]))
        fits = [t for t in may if any(_has_room(group, t, shape) for shape in shapes)]
        quarters = tuple(turns for turns in fits if _lies(group, turns, facts, known, codes))
        if not quarters:
            even = [t for t in may if all(p.turns in facts.quarters for _, p in group.at(t))]
            raise _too_small(shapes[0]) if even and not {*even} & {*fits} else Clash()
        yield Group(group.pieces, group.poses, quarters, number)


def _lies(
    group: Group, turns: int, facts: Facts, known: dict[int, int], codes: dict[int, Code]
) -> bool:
    """Say whether a group can lie with so many turns."""
    rows, cols = set(), set()
    for piece, pose in group.at(turns):
        if pose.turns not in facts.quarters or known.get(piece, pose.turns) != pose.turns:
            return False
        code = codes.get(piece, Code(piece))
        if code.row is not None:
            rows.add(code.row - pose.row)
        if code.col is not None:
            cols.add(code.col - pose.col)
    if group.sheet is not None and (rows | cols) - {0}:
        return False
    if len(rows) > 1 or len(cols) > 1:
        return False
    return not facts.flat or len({pose.row for _, pose in group.at(turns)}) == 1


def _has_room(group: Group, turns: int, shape: Shape | None) -> bool:
    if shape is None:
        return True
    rows, cols = zip(*((pose.row, pose.col) for _, pose in group.at(turns)), strict=True)
    return bool(max(rows) - min(rows) < shape[0] and max(cols) - min(cols) < shape[1])


def _shapes(
    wishes: Wishes,
    facts: Facts,
    groups: tuple[Group, ...],
    sheets: Ties,
    codes: dict[int, Code],
) -> tuple[Shape | None, ...]:
    """Return the shapes in which everything fits that has a cell; raise if there is none."""
    cells: dict[tuple[object, int, int], int] = {}
    for piece, row, col in _placed(groups, codes):
        sheet = "the" if facts.sheets == 1 else sheets.seen(piece)[0]
        if cells.setdefault((sheet, row, col), piece) != piece:
            raise Clash
        for barred in wishes.barred:
            there = facts.sheets == 1 or sheets.one(piece, ("sheet", barred.sheet))
            if barred.piece == piece and there and (barred.row, barred.col) == (row, col):
                raise Clash
    rows = Counter(code.row for code in codes.values() if code.row is not None)
    cols = Counter(code.col for code in codes.values() if code.col is not None)
    fitting = []
    for shape in facts.shapes:
        fits = all(facts.inside(shape, row, col) for _, row, col in cells)
        if fits and shape is not None:
            fits = all(row < shape[0] for row in rows) and all(col < shape[1] for col in cols)
            if facts.sheets == 1:
                fits &= all(n <= shape[1] for n in rows.values())
                fits &= all(n <= shape[0] for n in cols.values())
            fits &= all(any(_has_room(g, t, shape) for t in g.quarters) for g in groups)
        if fits:
            fitting.append(shape)
    if not fitting:
        raise _too_small(facts.shape)
    return tuple(fitting)


def _frames(
    wishes: Wishes,
    facts: Facts,
    groups: tuple[Group, ...],
    sheets: Ties,
    codes: dict[int, Code],
) -> dict[int, Shape]:
    """Return the shapes of sheets that are called by a number; raise where one is too small.

    A shape is taken as it was told if everything fits, else turned if it may be.
    """
    frames: dict[int, Shape] = {}
    called = _called(wishes, sheets)
    cells = list(_placed(groups, codes))
    for number in {number for _, number in wishes.numbered() if number < len(facts.frames)}:
        mine = [(row, col) for piece, row, col in cells if called.get(piece) == number]
        marked = [codes[piece] for piece in codes if called.get(piece) == number]
        within = [group for group in groups if called.get(group.pieces[0]) == number]
        mine += [(code.row or 0, code.col or 0) for code in marked]
        either = [
            shape
            for shape in facts.shapes_of(number)
            if shape is not None
            and all(facts.inside(shape, *cell) for cell in mine)
            and all(any(_has_room(g, t, shape) for t in g.quarters) for g in within)
        ]
        if not either:
            raise _too_small(facts.frames[number])
        frames[number] = either[0]
    return frames


def _too_small(shape: Shape | None) -> Clash:
    rows, cols = shape or (0, 0)
    return Clash(f"the shape is {rows} x {cols} cells")


def _placed(groups: tuple[Group, ...], codes: dict[int, Code]) -> Iterator[tuple[int, int, int]]:
    """Yield every piece whose cell is known, with its row and column."""
    for group in groups:
        if group.sheet is not None:
            yield from ((piece, pose.row, pose.col) for piece, pose in group.at(0))
            continue
        known = [(p, q, codes[p]) for p, q in zip(group.pieces, group.poses, strict=True)
                 if p in codes]  # fmt: skip
        across = next((k for k in known if k[2].row is not None), None)
        down = next((k for k in known if k[2].col is not None), None)
        several = len(group.quarters) > 1 and len(group.pieces) > 1
        if across is None or down is None or several:
            continue
        turns = group.quarters[0]
        row = (across[2].row or 0) - turned(turns, across[1].row, across[1].col)[0]
        col = (down[2].col or 0) - turned(turns, down[1].row, down[1].col)[1]
        yield from ((piece, pose.row, pose.col) for piece, pose in group.at(turns, row, col))
