"""Prompts as parts of a sentence: “Where do you dig?” becomes `where to dig`."""

from __future__ import annotations

import re

from rulewright.book.english.grammar import lower_first, strip_markup

_STOPS = re.compile(r"[.;:!?“”()]")
_DO_YOU = re.compile(r"\bdo you\b", re.IGNORECASE)
_ASKS = re.compile(r"(?:to |from |with |for )?(?:which|what|where|when|who|whom|how)\b", re.IGNORECASE)
_ASKS_SUBJECT = re.compile(r"(?:which|who|how many|how much)\b", re.IGNORECASE)
_AUXILIARY = re.compile(r"\b(?:do|does|did|is|are|was|were|can|may|must|will|shall|should|would|could|has|have)\b")
_PERSON = re.compile(r"\b(?:you|yours|yourself|I|me|my|we|us|our)\b")
_YOUR = re.compile(r"\byour\b")


def embed_question(prompt: str) -> str:
    """Return a prompt as an indirect question without a question mark, or an empty string if it has another form.

    The player is third person there: “Do you take your card?” becomes `whether to take their card`. Only questions with
    `do you`, and those about their subject, such as “Which Bed is dry?”, keep their word order.
    """
    plain = strip_markup(prompt)
    if not prompt.endswith("?") or _STOPS.search(plain[:-1]):
        return ""
    first, *rest = (part.strip() for part in _DO_YOU.split(prompt[:-1]))
    if rest:
        if first and not _ASKS.match(strip_markup(first)):
            return ""
        said = " ".join([lower_first(first) or "whether", *(f"to {part}" for part in rest)])
    elif _ASKS_SUBJECT.match(plain) and not _AUXILIARY.search(plain):
        said = lower_first(first)
    else:
        return ""
    said = _YOUR.sub("their", said)
    return "" if _PERSON.search(strip_markup(said)) else said
