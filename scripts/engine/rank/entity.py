"""Entity: the thing that a topic is about, and whether an item names it.

"Claude Code skills" is about Claude: "code" and "skills" are kinds of things, of which
there are others. The name is looked for as whole words, never inside others: "Go" is
not in "Google".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from engine import data
from engine.model import Item
from engine.text.likeness import MIN_IN_TAG, likeness
from engine.text.question import ABBREVIATED
from engine.text.statement import statement
from engine.text.tokens import fold, is_paired, read, runs
from engine.text.topic import Term, Topic, parse_topic

__all__ = ["Entity", "names_entity", "primary_entity"]

# A word that is like a name to this degree is the name with an ending or an article.
_ALIKE = 0.9
# Half as long as the longest name, and a name tells little: Peter of Steinberger.
_SHORT = 0.5


_Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """What an item has to name: any of `names`, each the words of one in a row.

    `capitals` are those names of one word that mean it in capitals only ("US").
    """

    names: tuple[_Name, ...]
    capitals: frozenset[str] = frozenset()
    _begun: dict[str, tuple[_Name, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def begun_by(self, word: str) -> tuple[_Name, ...]:
        """The names whose first word this is; each word is compared once a run."""
        found = self._begun.get(word)
        if found is None:
            found = self._begun[word] = tuple(
                name
                for name in self.names
                if name[0] not in self.capitals and likeness(name[0], word) >= _ALIKE
            )
        return found


def primary_entity(topic: Topic) -> Entity:
    """The names of what a topic is about.

    Its words without noise, without what is wanted of it (review, pricing, …) and
    without kinds of things; of names and other words the names, of long and short ones
    the long. Where that leaves nothing, or a place of which something else is named
    ("New York Times"), the words together.
    """
    terms = [piece for term in topic.terms for piece in _without_intent(term)]
    telling = [t for t in terms if not t.noise and not _is_kind(t)]
    if telling and not _named_after_place(terms, telling):
        telling = _long(_names(telling, topic.terms[0]))
        names = dict.fromkeys(term.meaning for term in telling)
        capitals = (word for term in telling if term.acronym for word in term.words)
        return Entity(tuple(names), frozenset(capitals))
    # A single word for a kind names nothing, so that what is wanted of it must help.
    words = _all_words(terms) if len(terms) > 1 else _all_words(topic.terms)
    initials = "".join(word[0] for word in words)
    short = ((initials,),) if len(words) in ABBREVIATED else ()
    return Entity((words, *short))


def names_entity(item: Item, entity: Entity) -> bool:
    """Whether an item names an entity in its title, text, comments, place or author."""
    if _said(statement(item), entity):
        return True
    if any(_said(comment.text, entity) for comment in item.comments):
        return True
    return _signed(entity, item.container, item.author_handle, item.author_name)


def _said(text: str, entity: Entity) -> bool:
    found = read(text)
    if not entity.capitals.isdisjoint(map(fold, found.caps)):
        return True
    for position, word in enumerate(found.words):
        for name in entity.begun_by(word):
            rest = found.words[position + 1 : position + len(name)]
            if len(rest) == len(name) - 1 and all(map(_is_like, name[1:], rest)):
                return True
    return any((account,) in entity.names for account in found.mentions)


def _is_like(wanted: str, word: str) -> bool:
    return likeness(wanted, word) >= _ALIKE


def _signed(entity: Entity, *labels: str) -> bool:
    """Whether a name is in a label, where names are often written as one word."""
    label = fold(" ".join(labels))
    joined = re.sub(r"[\W_]+", "", label)
    words = set(read(label.replace("_", " ")).words)
    for name in entity.names:
        compact = "".join(name)
        if len(compact) >= MIN_IN_TAG and not is_paired(compact):
            if compact in joined:
                return True
        elif words.issuperset(name):
            return True
    return False


def _without_intent(term: Term) -> Sequence[Term]:
    """A term, or what is left of it: in scripts without spaces words stick together."""
    if term.surface.lower() in _list("intent") or _list("intent").issuperset(
        term.words
    ):
        return ()
    if len(runs(term.surface)) == 1:
        return (term,)
    pieces = [piece for piece in _intent_run().split(term.surface) if piece]
    if pieces == [term.surface]:
        return (term,)
    return [t for piece in pieces for t in parse_topic(piece).terms]


@cache
def _intent_run() -> re.Pattern[str]:
    paired = (word for word in _list("intent") if is_paired(word))
    longest_first = sorted(paired, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, longest_first)))


def _list(heading: str) -> frozenset[str]:
    return data.sections("intent_words.txt")[heading]


def _is_kind(term: Term) -> bool:
    return term.surface[0] not in "#$@" and _list("kind").issuperset(term.words)


def _is_place(term: Term) -> bool:
    return data.words("places.txt").issuperset(term.words)


def _named_after_place(terms: Sequence[Term], telling: Sequence[Term]) -> bool:
    """Whether places are all that tells, and one stands before a kind of thing."""
    pairs = zip(terms, terms[1:], strict=False)
    return all(map(_is_place, telling)) and any(
        one in telling and _is_kind(other) for one, other in pairs
    )


def _names(telling: Sequence[Term], first: Term) -> list[Term]:
    """Those with a capital, if any has one that does not just begin the topic."""
    capital = [t for t in telling if not t.surface[0].islower() or _inner(t)]
    if any(t is not first or (_inner(t) and not t.acronym) for t in capital):
        return capital
    return list(telling)


def _inner(term: Term) -> bool:
    return any(map(str.isupper, term.surface[1:]))


def _long(telling: Sequence[Term]) -> list[Term]:
    most = max(len(term.surface) for term in telling)
    return [
        t
        for t in telling
        if len(t.surface) >= _SHORT * most or t.acronym or is_paired(t.words[0])
    ]


def _all_words(terms: Sequence[Term]) -> _Name:
    return tuple(word for term in terms for word in term.meaning)
