"""Every code of a message, once: what it is about in a few words.  Each has a page that says more."""

from __future__ import annotations

TITLES: dict[str, str] = {
    # reading the text
    "E001": "a character that ISPL does not know",
    "E002": "something else was expected here",
    "E003": "nested too deeply",
    "E004": "a comment that does not end",
    "E005": "the text is too large",
    "E006": "a reserved word used as a name",
    "E007": "a mark is missing",
    "E008": "a section closed by the wrong name",
    "E009": "a section written twice",
    "E010": "a section is missing",
    "E011": "the input cannot be read",
    # names
    "E012": "an unknown variable",
    "E013": "an unknown agent",
    "E014": "an unknown action",
    "E015": "an unknown group",
    "E016": "an unknown proposition",
    "E017": "a variable this agent cannot see",
    "E018": "a name for two things",
    "E019": "Lobsvars lists something else",
    # types
    "E020": "types that do not go together",
    "E021": "not a value of this enumeration",
    "E022": "a number outside the range",
    "E023": "an impossible range",
    "E024": "a comparison that is not defined",
    "E025": "a comparison of constants",
    "E026": "enumerations that do not fit",
    "E027": "a value where a condition is needed",
    # rules
    "E030": "a variable assigned twice",
    "E031": "two assignments in one line",
    "E032": "an action tested where there is none",
    "E033": "not the agent's own variable",
    "E034": "a path formula where a state formula is needed",
    "E035": "an operator that this kind of formula does not have",
    "E036": "a coalition without a time operator",
    "E037": "not available in an interleaved system",
    "E038": "not allowed as a fairness constraint",
    "E039": "a quantifier without a path",
    "E040": "a choice of several actions in a synchronous system",
    # exchange with other tools
    "E041": "something in an STV2 model that cannot be translated",
    "E042": "something in a VMT-LIB model that cannot be translated",
    "E043": "something in a game of EVE that cannot be translated",
    # programs that ask for knowledge
    "E045": "a program whose knowledge cannot be read so",
    "E047": "a guard that looks ahead or is about others",
    "E050": "not part of MCMAS's ISPL",
    # families
    "E060": "an unknown index or constant",
    "E061": "an impossible parameter",
    "E062": "index arithmetic without a value",
    "E063": "too many members",
    "E064": "a file that cannot be included",
    # strategies with names, equilibria
    "E065": "an agent or a strategy that is not bound",
    "E066": "not decided for strategies with memory",
    "E067": "not available for these strategies",
    # legal, but suspicious
    "W001": "no initial state",
    "W002": "an action that nobody can do",
    "W003": "an agent that plays no role",
    "W004": "a local state without action",
    "W005": "a guard that is never true",
    "W006": "an assignment that can leave its range",
    "W007": "a name defined twice",
    # found in the reachable states
    "W008": "a dead end",
    "W009": "a value that leaves its range",
    "W010": "no fair run",
    "W021": "a comment that is not UTF-8 text",
    "W020": "lines that assign different variables at once",
    # exchange with other tools
    "W011": "something in another tool's model that is perhaps not meant",
    # about the engine that was asked for
    "W012": "a variable without bounds for an engine that needs them",
}
