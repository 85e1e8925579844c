"""Published figures, to stand beside ours.

All percentages are neighbor accuracy unless said otherwise. What has no note is from the tables of

    D. Rika, D. Sholomon, E. O. David, A. Pais, N. S. Netanyahu, "A Generic Hybrid Framework for 2D
    Visual Reconstruction",

under that paper's citation keys. It quotes the others' figures from their own papers, and reports
its own as the best of five runs a picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

PROPOSED = "Rika et al. (proposed)"
RIKA = "rika_hybrid"

SOURCES = {
    RIKA: "Rika et al., A Generic Hybrid Framework for 2D Visual Reconstruction",
    "conf/cvpr/ChoAF10": "Cho, Avidan, Freeman, CVPR 2010",
    "yang2011particle": "Yang, Adluru, Latecki, CVPR 2011",
    "conf/cvpr/PomeranzSB11": "Pomeranz, Shemesh, Ben-Shahar, CVPR 2011",
    "7442162": "Andaló, Taubin, Goldenstein, TPAMI 2017",
    "gallagher2012jigsaw": "Gallagher, CVPR 2012",
    "Sholomon_2013_CVPR": "Sholomon, David, Netanyahu, CVPR 2013",
    "sholomon2014generalized": "Sholomon, David, Netanyahu, AAAI 2014",
    "sholomon2016dnn": "Sholomon, David, Netanyahu, ICANN 2016",
    "paikin2015solving": "Paikin, Tal, CVPR 2015",
    "yu2016bmvc": "Yu, Russell, Agapito, BMVC 2016",
    "son2019tpami": "Son, Hays, Cooper, TPAMI 2019",
    "paixao2018deep": "Paixão et al., SIBGRAPI 2018",
    "bridger2020cvpr": "Bridger, Danon, Tal, CVPR 2020",
    "liu2024diffusion": "Liu et al., CVPR 2024",
}
"""What the citation keys stand for."""

AZULEJO = "azulejo"
"""The paper's 24 panels of the National Tile Museum, which are not among the suites."""


@dataclass(frozen=True)
class Figure:
    """One method on one set of pictures; numbers that were not published are None.

    Attributes
    ----------
    neighbor, direct : in percent, the mean over the pictures
    perfect, pictures : how many pictures were perfect, and of how many
    shape_known, erode, piece : as in a configuration
    """

    suite: str
    turned: bool
    method: str
    source: str
    neighbor: float | None = None
    perfect: int | None = None
    pictures: int | None = None
    direct: float | None = None
    shape_known: bool = True
    erode: int = 0
    piece: int = 28
    note: str = ""


@dataclass(frozen=True)
class TopFigure:
    """Top-1 of a measure on the azulejo panels, in percent."""

    measure: str
    source: str
    upright: float
    turned: float


@dataclass(frozen=True)
class AblationFigure:
    """One row of the paper's ablation table: 24 azulejo panels, 50 runs each, in percent."""

    variant: str
    upright_mean: float
    upright_best: float
    turned_mean: float
    turned_best: float


@dataclass(frozen=True)
class DocumentFigure:
    """Neighbor accuracy on a paper cut into strips, in percent.

    Attributes
    ----------
    alone : pages were put together one by one, and the figure is their mean
    strips : in one puzzle
    """

    pages: int
    strips: int
    alone: bool
    neighbor: float


GAP = {False: 0.38, True: 1.28}
"""The paper's mean fitness gap to the truth on azulejo panels in percent: upright, turned."""

_SETS = ("mit_432", "mcgill_540", "pomeranz_805", "pomeranz_2360", "pomeranz_3300")
_PICTURES = dict(zip(_SETS, (20, 20, 20, 3, 3), strict=True))

_TYPE_1: tuple[tuple[str, str, tuple[float | None, ...]], ...] = (
    ("Cho et al.", "conf/cvpr/ChoAF10", (55, 0, None, None, None)),
    ("Yang et al.", "yang2011particle", (86.2, None, None, None, None)),
    ("Pomeranz et al.", "conf/cvpr/PomeranzSB11", (95, 90.9, 89.7, 84.7, 85)),
    ("Andaló et al.", "7442162", (94.3, 95.3, 93.4, None, None)),
    ("Gallagher", "gallagher2012jigsaw", (95.1, None, None, None, None)),
    ("Sholomon et al.", "Sholomon_2013_CVPR", (96.2, 96, 96.3, 88.9, 92.8)),
    ("Paikin and Tal", "paikin2015solving", (95.8, 96.1, 95.1, 96.3, 95.3)),
    ("Yu et al.", "yu2016bmvc", (95.7, 97.3, 96.6, 97.6, 97.5)),
    ("Son et al.", "son2019tpami", (95.6, 97, 95.5, 96, 97.7)),
    (PROPOSED, RIKA, (96.1, 97.9, 98.1, 97.8, 97.9)),
)

_Turned = tuple[float | None, int | None] | None
_TYPE_2: tuple[tuple[str, str, tuple[_Turned, ...]], ...] = (
    (
        "Gallagher",
        "gallagher2012jigsaw",
        ((90.4, 9), (73.3, 7), (85.5, 5), (62.5, 0), (81.9, 1)),
    ),
    ("Sholomon et al.", "sholomon2016dnn", ((95.7, 12), (96.4, 11), (95.9, 8), None, None)),
    (
        "Yu et al.",
        "yu2016bmvc",
        ((95.3, 14), (93.3, None), (92.9, None), (95.5, None), (90.2, None)),
    ),
    ("Son et al.", "son2019tpami", ((95.6, 12), (94.5, 11), (94.4, 11), (96.8, 1), (95.2, 1))),
    (PROPOSED, RIKA, ((96, 15), (96.1, 13), (96.3, 11), (96.9, 1), (92.7, 1))),
)

# Erosion in pixels, then (Bridger neighbor, perfect, proposed neighbor, perfect) of the three sets.
_ERODED = (
    (2, ((84.6, 4, 97.9, 18), (79.6, 7, 93.2, 15), (76.3, 2, 98, 14))),
    (4, ((57.1, 1, 92.2, 7), (51.1, 0, 85.4, 10), (51.3, 0, 87.1, 5))),
)

# Upright with known and unknown shape, then turned with known and unknown shape.
_PANELS: tuple[tuple[str, str, tuple[float | None, ...]], ...] = (
    ("Pomeranz et al.", "conf/cvpr/PomeranzSB11", (10.4, None, None, None)),
    ("Gallagher", "gallagher2012jigsaw", (13.7, 17.9, 4.6, 4.5)),
    ("Paikin and Tal", "paikin2015solving", (17.2, 19.4, 11.1, 12.6)),
    ("Bridger et al.", "bridger2020cvpr", (28, 32.3, 18.5, 21.6)),
    (PROPOSED, RIKA, (95.2, 95.4, 89.4, 86.6)),
)

_NOT_QUOTED = "not quoted in Rika et al."
_LARGE = ("sholomon_5015", "sholomon_10375", "sholomon_22834")


def _upright() -> Iterator[Figure]:
    for method, source, values in _TYPE_1:
        for suite, value in zip(_SETS, values, strict=True):
            if value is not None:
                yield Figure(suite, False, method, source, value, pictures=_PICTURES[suite])


def _turned() -> Iterator[Figure]:
    for suite, value in zip(_SETS, (94.9, 92.0, 92.1), strict=False):
        yield Figure(
            suite, True, "Sholomon et al.", "sholomon2014generalized", value, note=_NOT_QUOTED
        )
    for method, source, pairs in _TYPE_2:
        for suite, pair in zip(_SETS, pairs, strict=True):
            if pair is not None:
                yield Figure(suite, True, method, source, *pair, pictures=_PICTURES[suite])


def _eroded() -> Iterator[Figure]:
    for erode, rows in _ERODED:
        for suite, (bridger, few, proposed, many) in zip(_SETS, rows, strict=False):
            for method, source, neighbor, perfect in (
                ("Bridger et al.", "bridger2020cvpr", bridger, few),
                (PROPOSED, RIKA, proposed, many),
            ):
                yield Figure(
                    suite, False, method, source, neighbor, perfect, 20, erode=erode, piece=64
                )
    yield Figure(
        "pomeranz_805",
        False,
        "Liu et al.",
        "liu2024diffusion",
        perfect=9,
        pictures=20,
        direct=75.9,
        erode=2,
        piece=64,
        note="direct accuracy; 45 % perfect",
    )


def _panels() -> Iterator[Figure]:
    for method, source, values in _PANELS:
        variants = ((False, True), (False, False), (True, True), (True, False))
        for (turned, known), value in zip(variants, values, strict=True):
            if value is not None:
                yield Figure(
                    AZULEJO,
                    turned,
                    method,
                    source,
                    value,
                    pictures=24,
                    shape_known=known,
                    piece=50,
                )


def _large() -> Iterator[Figure]:
    yield Figure(
        "sholomon_22834",
        False,
        "Sholomon et al.",
        "Sholomon_2013_CVPR",
        96.28,
        pictures=20,
        note=f"{_NOT_QUOTED}; 13.2 hours a picture",
    )
    for suite in _LARGE:
        yield Figure(
            suite,
            False,
            "Paikin and Tal",
            "paikin2015solving",
            97.7,
            note=f"{_NOT_QUOTED}; one figure for the large sets together",
        )


FIGURES = (*_upright(), *_turned(), *_eroded(), *_panels(), *_large())
"""Every published reconstruction figure."""

TOP_1 = (
    TopFigure("Prediction-based", "conf/cvpr/PomeranzSB11", 14.1, 8.1),
    TopFigure("SSD (RGB)", "conf/cvpr/PomeranzSB11", 19.8, 12.2),
    TopFigure("MGC", "gallagher2012jigsaw", 20.3, 12.3),
    TopFigure("SSD (LAB)", "conf/cvpr/PomeranzSB11", 22.1, 13.9),
    TopFigure("L1", "paikin2015solving", 26.5, 17.4),
    TopFigure("SqueezeNet-based", "paixao2018deep", 34.9, 24.4),
    TopFigure("GAN-based", "bridger2020cvpr", 40.3, 29.9),
    TopFigure("Red-Net", RIKA, 64.1, 53.2),
    TopFigure("Green-Net", RIKA, 64.6, 53.7),
    TopFigure("Blue-Net", RIKA, 60.4, 48.9),
    TopFigure("RGB-Net", RIKA, 62.5, 51.6),
    TopFigure("DLCM", RIKA, 69.9, 59.5),
)

ABLATION = (
    AblationFigure("enhanced GA", 93.1, 95.2, 79, 89.4),
    AblationFigure("w/o phases 1.1 & 1.2", 79.0, 82.7, 54.1, 59.1),
    AblationFigure("w/o phase 2", 92.6, 94.8, 78.7, 86.0),
    AblationFigure("w/o phase 3", 92.6, 94.8, 75.3, 82.5),
    AblationFigure("w/o mutations", 91.2, 94.3, 73.6, 81.1),
    AblationFigure("Sholomon et al.", 74.7, 79.1, 57.0, 62.6),
)

DOCUMENTS = (
    DocumentFigure(9, 85, alone=True, neighbor=99.5),
    DocumentFigure(9, 765, alone=False, neighbor=97.1),
)
"""A CVPR 2018 paper at 500 dpi in strips of 50 px (Section "Shredded Documents")."""


def figures(suite: str, *, turned: bool, erode: int = 0, piece: int = 28) -> tuple[Figure, ...]:
    """Return what was published for puzzles like these, in the order of the papers' tables."""
    wanted = (suite, turned, erode, piece)
    return tuple(f for f in FIGURES if (f.suite, f.turned, f.erode, f.piece) == wanted)
