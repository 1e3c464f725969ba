"""Blanks between the words of one line of ISPL, in canonical layout."""

from __future__ import annotations

from epistrat.lang.vocabulary import AGENT_SECTIONS, BETWEEN, COMPARISONS, EPISTEMIC, PATH_PREFIX, PATH_WORDS, TAGS

HEADERS = frozenset(section for section in AGENT_SECTIONS if section not in ("Lobsvars", "Actions")) | {"Definitions"}
"""Sections whose first line ends with a colon."""
_TIGHT_AFTER = frozenset({"(", "{", "[", ".", "!", "~", ".."})
_TIGHT_BEFORE = frozenset({")", "}", "[", "]", ",", ";", ".", ".."})
_OPERATORS = COMPARISONS | frozenset(
    {"and", "or", "->", "<->", "xor", "&", "|", "^", "+", "-", "*", "/", "if", ":", "LTL", "CTL*"}
)


class Blanks:
    """The words of one line so far, and what they say about the blank before the next one."""

    def __init__(self, in_formulae: bool) -> None:
        self.words: list[str] = []
        self._in_formulae = in_formulae
        self._coalition = False  # one is open
        self._opened = False  # the word before opened it
        self._minus = False  # the word before is the sign of a number
        self._naming = ""  # ``<<`` or ``[[`` is open: what closes it, as often as it is still to come
        self._named = False  # the word before closed one

    def before(self, word: str) -> bool:
        """Whether a blank stands before the next word, which is taken in."""
        named, self._named = self._named, False
        if self._in_formulae and self._in_names(word):
            blank = self._blank_before(word) if len(self._naming) > 2 and word != "]" else self.words[-1] == ","
            self.words.append(word)
            return blank
        blank = True if named and word not in _TIGHT_BEFORE - {"["} else self._blank_before(word)
        if named:
            self._opened = word == "<"
        self.words.append(word)
        if word == "<" and self._in_formulae and self._opened:
            self._coalition = True
        elif word == ">" and self._coalition:
            self._coalition = False
        return blank

    def _in_names(self, word: str) -> bool:
        """Whether the word belongs to ``<<x>>`` or ``[[x]]``, the first bracket apart."""
        if not self._naming:
            doubled = word in ("<", "[") and self.words[-1:] == [word] and (word == "[" or self._coalition)
            if doubled:
                self._naming, self._coalition = {"<": ">>", "[": "]]"}[word], False
            return doubled
        if word == "[":  # an index of a name
            self._naming = "]" + self._naming
        elif word == self._naming[0]:
            self._naming = self._naming[1:]
            self._named = not self._naming
        return True

    def _operand_next(self) -> bool:
        """Whether an operand is to come: the word before is an operator or opens something."""
        before = self.words[-1] if self.words else ""
        if before in ("", "(", "{", ",", "!", "~", "..") or before in _OPERATORS:
            return True
        return self._in_formulae and (before in PATH_WORDS or before in BETWEEN or before in ("LTL", ">", *TAGS))

    def _blank_before(self, word: str) -> bool:
        """Whether a blank stands between the word before and this one."""
        before = self.words[-1] if self.words else ""
        operand = self._operand_next()
        after_sign, self._minus = self._minus, word == "-" and operand
        after_open, self._opened = self._opened, word in ("<", "<>") and operand and self._in_formulae
        if not before:
            return False
        if word == "{" and opens_block([*self.words, word]):
            return True
        if word == "[" and before in _OPERATORS | BETWEEN | PATH_PREFIX | TAGS.keys():
            return True
        if before in _TIGHT_AFTER or word in _TIGHT_BEFORE:
            return before + word in ("!=", "..", "...", "....")  # which would be another word
        if word == "(" and before in EPISTEMIC:
            return False
        if word == "(" and before in ("sum", "count", "min", "max", "pow"):
            return False
        if word == ":" and ((self._in_formulae and len(self.words) == 1) or self._binding):
            return False
        if word == ":" and len(self.words) == 1 and before in HEADERS:
            return False
        if after_sign and word[0].isdigit():
            return False
        if after_open and before == "<":
            return False
        if self._coalition and word == ">":
            return False
        if before in (">", "<>") and self._closed:
            return not (word == "(" or word in PATH_PREFIX)
        if word == "(" and self._in_formulae:
            return before not in PATH_WORDS
        return True

    @property
    def _binding(self) -> bool:
        """Whether the indices of a repeated part stand before the place at hand."""
        for word in reversed(self.words):
            if word in (":", "{", ";"):
                return False
            if word in ("in", "where"):
                return True
        return False

    @property
    def _closed(self) -> bool:
        """Whether the word before closed a coalition."""
        if not self._in_formulae or self._coalition:
            return False
        depth = len(self.words) - 1
        if self.words[depth] == "<>":
            return depth == 0 or not _is_operand(self.words[depth - 1])
        while depth > 0 and self.words[depth] != "<":
            depth -= 1
        return self.words[depth] == "<" and (depth == 0 or not _is_operand(self.words[depth - 1]))


def _is_operand(word: str) -> bool:
    return word == ")" or (
        word[0].isalnum() and word not in _OPERATORS and word not in PATH_WORDS and word not in BETWEEN
    )


def opens_block(words: list[str]) -> bool:
    """Whether a line opens a block of repeated lines."""
    return (
        words[-1] == "{"
        and words[0] in ("for", "where")
        and len(words) > 3
        and ":" not in words
        and words[1] not in ("=", ".")
    )
