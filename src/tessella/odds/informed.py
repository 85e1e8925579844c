"""Odds once a person has told something: what is joined is certain, and no rival of anything else.

A rival that is known to lie elsewhere, or not here, no longer takes anything from a join's lead; so
every answer makes the joins around it surer, or more doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tessella.odds.calibration import Calibration
from tessella.odds.chances import Odds, odds_of
from tessella.scores import Scores

CERTAIN = 40.0
"""The lead of what is joined, in logarithms of odds."""

Pairs = Sequence[tuple[int, int]]


def informed(
    scores: Scores,
    calibration: Calibration,
    joined: Pairs,
    forbidden: Pairs,
    plain: Odds | None = None,
) -> Odds:
    """Return the odds of `scores` without what is forbidden or taken.

    Parameters
    ----------
    joined, forbidden : pairs of edges that lie, or do not lie, against each other
    plain : the odds before anything was told, where they are known already
    """
    edges = len(scores.partner)
    only = np.full(edges + 1, -1, np.int64)  # The last is for partners that are not there.
    for e, f in joined:
        only[e], only[f] = f, e
    own, partner = np.arange(edges)[:, None], scores.partner.astype(np.int64)
    drop = (only[own] >= 0) & (only[own] != partner)
    drop |= (only[partner] >= 0) & (only[partner] != own)
    refused = np.array([(e, f) for pair in forbidden for e, f in (pair, pair[::-1])], np.int64)
    if len(refused):
        drop |= np.isin(own * edges + partner, refused[:, 0] * edges + refused[:, 1])
    score = np.where(drop | (partner < 0), -np.inf, scores.score).astype(np.float32)
    best = score.max(axis=1, initial=-np.inf)  # of an edge without its best, the next
    left = replace(scores, hi=best, partner=np.where(drop, -1, scores.partner))
    odds = odds_of(calibration.heard(left), calibration)
    certain = only[odds.edge()] == odds.partner
    lead = np.where(certain, np.float32(CERTAIN), odds.lead)
    # An answer about a few edges tells nothing of how many have no partner.
    plain = plain or odds_of(calibration.heard(scores), calibration)
    return replace(odds, lead=lead, nobody=plain.nobody, share=plain.share)
