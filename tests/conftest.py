"""For all tests: what is added to a verdict must not fail unseen (see `epistrat.answers.decoration`)."""

import os

os.environ["EPISTRAT_STRICT"] = "1"
