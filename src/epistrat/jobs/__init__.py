"""Who works on a question, for how long, and what ends it: engines, limits and workers, without a word about users."""

from epistrat.jobs.portfolio import Disagreement, Portfolio

__all__ = ["Disagreement", "Portfolio"]
